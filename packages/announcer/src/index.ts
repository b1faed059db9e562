// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export { type ReconnectOptions, reconnect } from "@earshot/aaep/reconnect";
export type { About, Announcement, Notice, OpenRequest, Urgency } from "./announce/announcement.ts";
export type { Announcer } from "./announce/announcer.ts";
export { type AnnouncerOptions, createAnnouncer } from "./announce/create-announcer.ts";
export type { AnnouncerSettings, Mute } from "./announce/settings.ts";
export { Ear, type EarPorts } from "./listen/ear.ts";
export { NOTES, type Note, type Sound, soundOf } from "./listen/earcons.ts";
export type { Wanting } from "./listen/request-activity.ts";
export { type Source, Sources, sourceWords } from "./listen/sources.ts";
export { Speaker, type SpeakerPorts } from "./listen/speaker.ts";
export type { HeardAlert, HeardAsked, HeardCard, HeardEntry, HeardNews, HeardRequest, HeardTidings } from "./listen/wire.ts";
