// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export {
  capitalize,
  formatAgo,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatLabel,
  formatList,
  formatMoment,
  formatMoney,
  formatNumber,
  formatShortDuration,
  formatShortMoney,
  formatSize,
  formatState,
  formatTime,
  formatTokens,
  isSameDay,
  protocolName,
  spaceWords,
  type TokenNumbers,
} from "./amounts.ts";
export { compareLines, type DiffLine, diffLines, type ShownLine } from "./changes/compare-lines.ts";
export { countLines, type FileChange, readPatch } from "./changes/file-change.ts";
export { agentName, agentSlug, folderIn, projectName } from "./names.ts";
export { changesIn, type InputChange, isChangeMember } from "./requests/changes-in.ts";
export { type Aftermath, type DecidedAbout, describeAftermath, describeDecision } from "./requests/describe-decision.ts";
export { describeGuardNote, describeMoreNote, describeRequestNote, describeTestNote } from "./requests/describe-note.ts";
export {
  assessRequest,
  describeHeading,
  describeRequest,
  type NoWord,
  type Presentation,
  type RequestDescription,
  type RequestHeading,
  whyRisky,
  type YesWord,
} from "./requests/describe-request.ts";
export type {
  AskedRequest,
  NarratedDecision,
  NarratedInspection,
  NarratedRequest,
  NumberedAnswer,
  SpeakRequestOptions,
  SpokenRequest,
} from "./requests/request.ts";
export { speakRequest } from "./requests/speak-request.ts";
export { introduce } from "./sentences/introduce.ts";
export { catalogueWords, englishWords, LANGUAGES, phrasesFor, wordsFor } from "./sentences/languages.ts";
export { countWords, cutText, cutToWords, type MarkupPlace, TEXT_BEGINS, toHeard, toSpoken } from "./sentences/speakable.ts";
export type { Phrases, Segment, SessionGroup, Settling, Standing, Tally, Verbosity, Words, WordsFor } from "./sentences/words.ts";
export { chunked } from "./spelling/chunked.ts";
export { exactAloud } from "./spelling/exact-aloud.ts";
export { speltAloud } from "./spelling/spelt-aloud.ts";
export { callTone, describeCall, describeOutcome, readJson } from "./story/describe-call.ts";
export { describeActivity, describeEnvelope, describeItem, describeNotices, type Notice } from "./story/describe-item.ts";
export { describeSessionMark, describeStatus } from "./story/describe-session.ts";
export type { OfKind } from "./story/describers.ts";
export type { NarratedItem } from "./story/narrated-item.ts";
export { type Fact, type Narration, type NarrationTone, type NarrationTopic, type Quote, type Voice, Wording } from "./story/narration.ts";
export { alertName, type EarPhrases, earPhrases, type Meanwhile } from "./words/ear-phrases.ts";
export { ENGLISH_PHRASES } from "./words/english-phrases.ts";
