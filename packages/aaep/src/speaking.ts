// biome-ignore-all lint/performance/noBarrelFile: the entry for clients without a server: nothing here loads a schema; each line is public API
export { EARSHOT_CONTEXT, EARSHOT_PREFIX, SESSION_STOP } from "./extension.ts";
export { matchLanguage } from "./producer/match-language.ts";
export { AgentQuestionBook, type AgentQuestionBookOptions, type Attendance, type QuestionChange } from "./questions/agent-question-book.ts";
export type {
  AaepResponseKind,
  Clarification,
  Confirmation,
  Decision,
  Question,
  QuestionEnding,
  QuestionReply,
  Risk,
  SilenceReason,
} from "./questions/question.ts";
export { effectiveRisk, mayDefaultTo } from "./questions/question.ts";
export { endsInAbbreviation, findTextBoundaries, NO_BOUNDARY, segmentersFor, type TextBoundaries } from "./shape/boundaries.ts";
