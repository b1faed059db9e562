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
export { countChangedLines, type FileChange, readPatch } from "./changes/file-change.ts";
export { agentName, agentSlug, folderIn, projectName } from "./names.ts";
export { findInputChanges, type InputChange, isChangeMember } from "./requests/changes-in.ts";
export { type DecidedAbout, describeAftermath, describeDecision, type RequestAftermath } from "./requests/describe-decision.ts";
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
export { catalogueWords, englishWords, LANGUAGES, phrasesFor, wordsForLanguage } from "./sentences/languages.ts";
export { countSpokenWords, cutText, cutToWords, MARKUP_START, type MarkupPlace, toSpoken, toSpokenPart } from "./sentences/speakable.ts";
export type {
  ActivityTally,
  Phrases,
  RequestSettling,
  Segment,
  SessionGroup,
  SessionStanding,
  Verbosity,
  Words,
  WordsFor,
} from "./sentences/words.ts";
export { spellExactly } from "./spelling/spell-exactly.ts";
export { spellLetters } from "./spelling/spell-letters.ts";
export { splitIntoParts } from "./spelling/split-into-parts.ts";
export { callTone, describeCall, describeOutcome, parseJsonContainer } from "./story/describe-call.ts";
export { describeActivity, describeEnvelope, describeItem, describeNotices, type HubNotice } from "./story/describe-item.ts";
export { describeSessionMark, describeStatus } from "./story/describe-session.ts";
export type { OfKind } from "./story/describers.ts";
export type { NarratedItem } from "./story/narrated-item.ts";
export {
  type DescriptionVoice,
  DescriptionWords,
  type Fact,
  type Narration,
  type NarrationTone,
  type NarrationTopic,
  type Quote,
} from "./story/narration.ts";
export { ENGLISH_PHRASES } from "./words/english-phrases.ts";
export { alertName, type ListenerPhrases, listenerPhrases, type RequestPhase } from "./words/listener-phrases.ts";
