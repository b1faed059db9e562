// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export type { AttachBody, AttachmentList, AttachmentState, AttachmentView } from "./attach/api.ts";
export { type Address, type Home, homeOf, readAddress, readViewerToken } from "./home.ts";
export type { AgentFolder } from "./hooks/hear-payload.ts";
export type {
  ChallengeView,
  DeviceView,
  PairingClaim,
  PairingClaimState,
  PairingOffer,
  PairingView,
  TicketView,
} from "./http/admission-routes.ts";
export type { HubsView, RefusedList, StatusView } from "./http/api.ts";
export type { AccountView, TokenView } from "./http/credential-routes.ts";
export type { NotifyView } from "./http/notify-routes.ts";
export type { AgentList, AgentSetup, SetupPorts, SetupText } from "./http/setup-routes.ts";
export { startHub } from "./hub.ts";
export type { Hub, HubOptions, LookAtGates } from "./hub-options.ts";
export { readCapture, readSource, type SourceSettings } from "./intake/source-settings.ts";
export { type BackupStep, backUp, verifyBackup } from "./keeping/backup.ts";
export { type ErasableEntry, type EraseTarget, eraseOne, findErasable } from "./keeping/erase.ts";
export { migrateStore } from "./keeping/migrate-store.ts";
export { openKeeping } from "./keeping/open-keeping.ts";
export { type Pruned, type PruneLimits, type PruneStep, planPruning, prune } from "./keeping/prune.ts";
export { limitsOf, RETENTION, type Retention } from "./keeping/retention.ts";
export type { LedgerHistory } from "./ledger/history.ts";
export type { Entry } from "./ledger/ledger.ts";
export { type Holder, readHolder } from "./ledger/lock.ts";
export { findStoredSession, isPostgresAddress, openHistory, readStoredHead } from "./ledger/open-ledger.ts";
export { type Desktop, findDesktop } from "./notify/desktops.ts";
export type { PolicyView, RuleView } from "./policy/policy-view.ts";
export { findRepositoryFile } from "./policy/repository-file.ts";
export type { Request } from "./request.ts";
export type { Answer, AnswerBody, Word } from "./requests/answer.ts";
export type {
  ControlView,
  DecisionView,
  GateFault,
  HoldingView,
  InspectedCommand,
  InspectedFile,
  Inspection,
  News,
  NewsKind,
  NewsList,
  RememberBody,
  RememberedView,
  RequestList,
  RequestView,
  RuleProposal,
} from "./requests/api.ts";
export type { Asked, Card, Choice, Field } from "./requests/card.ts";
export { type Config, configPath, describeTroubles, keepAsLastGood, ledgerLocation, readConfig } from "./settings/config-file.ts";
export { combineSettings, type EffectiveSetting, listSettings, sourceSettings } from "./settings/effective-settings.ts";
export type { Settings, Trouble } from "./settings/settings.ts";
export type {
  ExplainBody,
  PolicyCheck,
  PolicyExplanation,
  PolicyRules,
  PolicyTextBody,
  PolicyTrial,
  TryBody,
} from "./trial/api.ts";
export { isNo, isYes, type Past, type PastAsk, readPastAsks } from "./trial/past-asks.ts";
export { readPayload } from "./trial/read-payload.ts";
export { type Example, FATES, type Fate, type FateCounts, type Move, type RuleCount, type Trial, TrialCounter } from "./trial/trial.ts";
export { type VerificationStep, watchVerification } from "./verification.ts";
export type {
  Alert,
  AlertType,
  CallView,
  CostGroup,
  CostTable,
  Grade,
  Lane,
  LaneSpan,
  Listed,
  OutputView,
  Parentage,
  SearchHit,
  SessionCourse,
  SessionStatus,
  SessionView,
  StoryItem,
  StoryPage,
  Tree,
} from "./views/api.ts";
export { AOP_PORT, DEFAULT_PORT } from "./wiring/open-listening.ts";
