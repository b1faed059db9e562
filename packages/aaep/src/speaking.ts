// biome-ignore-all lint/performance/noBarrelFile: the entry for clients without a server: nothing here loads a schema; each line is public API
export { EARSHOT_CONTEXT, EARSHOT_PREFIX, SESSION_STOP } from "./extension.ts";
export { matchLanguage } from "./producer/match-language.ts";
export type { Clarification, Confirmation, Decision, Ending, Question, Reply, ResponseKind, Risk, Silence } from "./questions/question.ts";
export { mayDefaultTo, riskOf } from "./questions/question.ts";
export { type Attendance, QuestionDesk, type QuestionDeskOptions, type QuestionNews } from "./questions/question-desk.ts";
export { type Ends, endsInAbbreviation, findEnds, NO_END, segmentersFor } from "./shape/boundaries.ts";
