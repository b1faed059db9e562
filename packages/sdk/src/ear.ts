// biome-ignore-all lint/performance/noBarrelFile: the entry for whoever listens to a hub; each line is a promise
export type { AskedAloud, EffectAloud, InspectionAloud, NumberedAnswer } from "./aloud/aloud.ts";
export { chunked } from "./aloud/chunked.ts";
export { effectAloud } from "./aloud/effect-aloud.ts";
export { exactAloud } from "./aloud/exact-aloud.ts";
export { speltAloud } from "./aloud/spelt-aloud.ts";
export { Ear, type EarPorts } from "./ear/ear.ts";
export { alertName, type EarPhrases, earPhrases } from "./ear/ear-phrases.ts";
export { NOTES, type Note, type Sound, soundOf } from "./ear/earcons.ts";
export { agentName, agentSlug, folderIn, projectName } from "./ear/names.ts";
export type { Wanting } from "./ear/request-activity.ts";
export { type Source, Sources, sourceWords } from "./ear/sources.ts";
export { Speaker, type SpeakerPorts } from "./ear/speaker.ts";
export type { HeardAlert, HeardAsked, HeardCard, HeardEntry, HeardNews, HeardRequest, HeardTidings } from "./ear/wire.ts";
export { type Wish, type WishOptions, wishOf } from "./ear/wish.ts";
