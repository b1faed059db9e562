// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export { type ReconnectOptions, reconnect } from "@earshot/aaep/reconnect";
export type { AnnouncedRequest, Announcement, AnnouncementSubject, SpokenNotice, Urgency } from "./announce/announcement.ts";
export type { Announcer } from "./announce/announcer.ts";
export { type AnnouncerOptions, createAnnouncer } from "./announce/create-announcer.ts";
export type { AnnouncerSettings, Mute } from "./announce/settings.ts";
export { AnnouncementSpeaker, type SpeakerPorts } from "./listen/announcement-speaker.ts";
export { AnnouncerFeed, type AnnouncerFeedPorts } from "./listen/announcer-feed.ts";
export { EARCON_TONES, type EarconName, type EarconTone, earconFor } from "./listen/earcons.ts";
export { KnownSources, type SessionSource, sourceWords } from "./listen/known-sources.ts";
export type { DescribeWanted } from "./listen/request-activity.ts";
export type {
  LiveAlert,
  LiveAskedRequest,
  LiveLedgerEntry,
  LiveRequest,
  LiveRequestCard,
  LiveRequestNews,
  LiveUpdate,
} from "./listen/wire.ts";
