// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export { ANSWERS_VERSION, readAgentAnswers } from "./answers/read-answers.ts";
export { checkExpects, type UnmetExpectation } from "./mapping/check-expects.ts";
export type { Expectation } from "./mapping/mapping.ts";
export { MAPPING_VERSION, type MappingFile, readMapping } from "./mapping/read-mapping.ts";
export type { LocatedProblem, ReadResult, Strictness } from "./text/read-yaml.ts";
