// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API

export type { AttachBody, AttachmentList, AttachmentState, AttachmentView } from "./attach/api.ts";
export { type HubAddress, type HubHome, hubHomeOf, readAddress, readViewerToken } from "./home.ts";
export type { AgentFolder } from "./hooks/map-hook-payload.ts";
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
export type { HubOptions, LookAtGates, RunningHubHandle } from "./hub-options.ts";
export { readCapture, readSourceSelector, type SourceSettings } from "./intake/source-settings.ts";
export { type BackupStep, backUp, verifyBackup } from "./keeping/backup.ts";
export { type ErasableEntry, type EraseTarget, eraseOne, findErasable } from "./keeping/erase.ts";
export { migrateStore } from "./keeping/migrate-store.ts";
export { openKeeping } from "./keeping/open-keeping.ts";
export { type PruneLimits, type PruneResult, type PruneStep, planPruning, pruneEntries } from "./keeping/prune.ts";
export { limitsOf, RETENTION, type Retention } from "./keeping/retention.ts";
export type { LedgerHistory } from "./ledger/history.ts";
export type { LedgerEntry } from "./ledger/ledger.ts";
export { type LockHolder, readLockHolder } from "./ledger/lock.ts";
export { findStoredSession, isPostgresAddress, openHistoryAt, readStoredHead } from "./ledger/open-ledger.ts";
export { type DesktopNotifier, findDesktop } from "./notify/desktops.ts";
export type { PolicyView, RuleView } from "./policy/policy-view.ts";
export { findRepositoryFile } from "./policy/repository-file.ts";
export type { StoredRequest } from "./request.ts";
export type { AnswerBody, AnswerWordName, RequestAnswer } from "./requests/answer.ts";
export type {
  ControlView,
  DecisionView,
  GateFault,
  HoldingView,
  InspectedCommand,
  InspectedFile,
  Inspection,
  NewsKind,
  NewsList,
  RememberBody,
  RememberedView,
  RequestList,
  RequestNews,
  RequestView,
  RuleProposal,
} from "./requests/api.ts";
export type { AskedCard, CardChoice, CardField, RequestCardData } from "./requests/card.ts";
export { type ConfigFile, configPath, describeTroubles, keepAsLastGood, ledgerLocation, readConfig } from "./settings/config-file.ts";
export { combineSettings, type EffectiveSetting, listSettings, sourceSettings } from "./settings/effective-settings.ts";
export type { HubSettings, SettingsProblem } from "./settings/settings.ts";
export type {
  ExplainBody,
  PolicyCheck,
  PolicyExplanation,
  PolicyRules,
  PolicyTextBody,
  PolicyTrial,
  TryBody,
} from "./trial/api.ts";
export { isNo, isYes, type PastAsk, type PastOutcome, readPastAsks } from "./trial/past-asks.ts";
export { readPayload } from "./trial/read-payload.ts";
export {
  ASK_FATES,
  type AskFate,
  type FateChange,
  type FateCounts,
  type RuleCount,
  TrialCounter,
  type TrialExample,
  type TrialResult,
} from "./trial/trial.ts";
export { type VerificationStep, watchVerification } from "./verification.ts";
export type {
  Alert,
  AlertType,
  CallView,
  CostGroup,
  CostTable,
  LaneSpan,
  Listed,
  OutputView,
  Parentage,
  SearchHit,
  SessionCourse,
  SessionGrade,
  SessionLane,
  SessionStatus,
  SessionTree,
  SessionView,
  StoryItem,
  StoryPage,
} from "./views/api.ts";
export { AOP_PORT, DEFAULT_PORT } from "./wiring/open-listening.ts";
