// biome-ignore-all lint/performance/noBarrelFile: the entry for who speaks and does not serve: nothing here loads a schema; each line is a promise
export { EARSHOT_CONTEXT, EARSHOT_PREFIX, SESSION_STOP } from "./extension.ts";
export { matchLanguage } from "./producer/match-language.ts";
export { mayDefaultTo, riskOf } from "./questions/default-decision.ts";
export type { Reply } from "./questions/judge-reply.ts";
export type { Clarification, Confirmation, Decision, Ending, Question, ResponseKind, Risk, Silence } from "./questions/question.ts";
export { type Attendance, QuestionDesk, type QuestionDeskOptions, type QuestionNews } from "./questions/question-desk.ts";
export { endsInAbbreviation } from "./shape/abbreviations.ts";
export { type Ends, findEnds, NO_END } from "./shape/boundaries.ts";
export { segmentersFor } from "./shape/segmenters.ts";
