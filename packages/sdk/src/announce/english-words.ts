import type { Activity } from "@earshot/translate";

/**
 * What is said of activities in English. English is the reference: every other language has the same keys. Verbs follow a source
 * ("Codex in shop started"), hence the third person; `{what|a folder}` is a place and what is said where nothing fits it;
 * `one||many` is chosen by the number.
 */
export const ENGLISH_WORDS = {
  started: "started",
  resumed: "resumed",
  turnStarted: "begins to work",
  turnEnded: "is done for now",
  thinks: "thinks",
  goalSet: "set a goal",
  goalPursued: "works on a goal",
  goalReached: "reached a goal",
  goalGivenUp: "gave up a goal",
  decided: "decided",
  unsure: "is unsure",
  told: "was told",
  says: "says",
  hasAnswer: "has an answer",
  percent: "is at {n} percent",
  step: "is at step {n}",
  stepOf: "is at step {n} of {of}",
  goesOn: "goes on",
  left: "{what} left",
  takes: "This takes {what}",
  took: "It took {what}",
  // Of a call that has ended.
  has: "has {done}",
  failedTo: "got an error trying to {do}",
  noAnswerTo: "got no answer trying to {do}",
  stoppedTo: "was stopped trying to {do}",
  mayNot: "may not {do}",
  may: "may {do}",
  noVerdict: "heard no verdict about {what|a tool}",
  asksItself: "asks at its own prompt",
  wants: "It wants to {do}",
  asks: "asks",
  answers: "Answers: {what}",
  youHave: "You have {what}",
  noWayBack: "Cannot be undone",
  highRisk: "High risk",
  answered: "was answered",
  handsOver: "hands over to {who|somebody}",
  highPriority: "High priority",
  helperStarted: "started {who|a helper}",
  helperEnded: "heard back from {who|a helper}",
  helperFailed: "got an error from {who|a helper}",
  noted: "noted something",
  lookedUp: "looked something up",
  forgot: "forgot something",
  calledService: "called a service",
  serviceFailed: "got an error from a service",
  compacted: "shortened its memory",
  changedFile: "changed {what|files}",
  createdFile: "created {what|a file}",
  deletedFile: "deleted {what|a file}",
  plan: "has a plan",
  planOf: "has a plan of {n} step||has a plan of {n} steps",
  planDone: "{n} done",
  planNow: "Now: {what}",
  error: "had an error",
  sentEvent: "sent an event",
  by: " by {who}",
  lowConfidence: "Low confidence",
  // Parts of a sentence.
  lines: "{n} line||{n} lines",
  steps: "{n} step||{n} steps",
  moreFiles: "{what} and {n} more file||{what} and {n} more files",
  moreCommands: "And {n} more command||And {n} more commands",
  inFolder: "In the folder {what}",
  elevated: "With administrator rights",
  testsPassed: "{n} test passed||{n} tests passed",
  testsFailed: "{n} test failed||{n} tests failed",
  passedToo: "{n} passed",
  ranTests: "ran the tests",
  cost: "It cost {what}",
  used: "{what} used",
  contextFull: "Context {n} percent full",
  moreWords: "{text} … {n} more word||{text} … {n} more words",
  toolOf: "{tool} of {server}",
} as const;

export type WordKey = keyof typeof ENGLISH_WORDS;

/** Names that protocols use for people and things, as they are said after `by` and `to`. */
export const ENGLISH_NAMES = {
  user: "the user",
  human: "a human",
  person: "a person",
  agent: "an agent",
  another_agent: "another agent",
  system: "the system",
  producer: "the agent",
  subscriber: "the listener",
  timeout: "a time limit",
  policy: "a rule",
  operator: "the operator",
} as const;

export type KnownName = keyof typeof ENGLISH_NAMES;
export type Outcome = Extract<Activity, { kind: "session.closed" }>["outcome"];
