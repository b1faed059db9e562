import type { CliCommand } from "./command.ts";

/** A command's summary and its module, loaded on demand. */
export interface CommandEntry {
  readonly does: string;
  readonly load: () => Promise<CliCommand<never>>;
}

interface Group {
  readonly title: string;
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

/** All commands, as `earshot help all` lists them. Each is loaded on demand, so that it starts with its own code only. */
export const GROUPS: readonly Group[] = [
  {
    title: "Begin",
    commands: {
      start: {
        does: "run the hub, which records the agents on this machine",
        load: async () => (await import("./commands/start.ts")).startHubCommand,
      },
      open: {
        does: "open the dashboard, or a session in it, in a browser",
        load: async () => (await import("./commands/open.ts")).openCommand,
      },
      status: {
        does: "show the hub, connected agents and pending requests",
        load: async () => (await import("./commands/status.ts")).statusCommand,
      },
      init: {
        does: "connect the coding agents on this machine: register their hooks",
        load: async () => (await import("./commands/init.ts")).initCommand,
      },
      doctor: {
        does: "check the hub and the hooks, and test each hook",
        load: async () => (await import("./commands/doctor.ts")).doctorCommand,
      },
      demo: { does: "play a demo into the hub", load: async () => (await import("./commands/demo.ts")).demoCommand },
    },
  },
  {
    title: "See",
    commands: {
      sessions: {
        does: "list the sessions, and what they cost",
        load: async () => (await import("./commands/sessions.ts")).sessionsCommand,
      },
      show: { does: "show what happened in a session, as a story", load: async () => (await import("./commands/show.ts")).showCommand },
      search: { does: "search all events", load: async () => (await import("./commands/search.ts")).searchCommand },
      tail: { does: "follow events and alerts live", load: async () => (await import("./commands/tail.ts")).tailCommand },
    },
  },
  {
    title: "Decide",
    commands: {
      inbox: {
        does: "list pending requests, and approve or deny them",
        load: async () => (await import("./commands/inbox.ts")).inboxCommand,
      },
      "inbox show": { does: "print the whole card of a request", load: async () => (await import("./commands/inbox.ts")).inboxShowCommand },
      "inbox more": { does: "give a request more time", load: async () => (await import("./commands/inbox.ts")).inboxMoreCommand },
      allow: { does: "approve a request", load: async () => (await import("./commands/decide.ts")).allowCommand },
      deny: { does: "deny a request", load: async () => (await import("./commands/decide.ts")).denyCommand },
      answer: { does: "answer a question", load: async () => (await import("./commands/decide.ts")).answerCommand },
      away: { does: "keep requests pending while you are away", load: async () => (await import("./commands/control.ts")).awayCommand },
      pause: { does: "suspend all rules and requests for a while", load: async () => (await import("./commands/control.ts")).pauseCommand },
      "session stop": {
        does: "stop a session: answer its requests with stop",
        load: async () => (await import("./commands/control.ts")).stopSessionCommand,
      },
      "session resume": {
        does: "resume a stopped session",
        load: async () => (await import("./commands/control.ts")).resumeSessionCommand,
      },
    },
  },
  {
    title: "Rules",
    commands: {
      "policy check": {
        does: "list the errors in a policy file",
        load: async () => (await import("./commands/policy.ts")).policyCheckCommand,
      },
      "policy try": {
        does: "try rules on recorded actions",
        load: async () => (await import("./commands/policy-history.ts")).policyTryCommand,
      },
      "policy explain": {
        does: "show which rule decides an action, and why",
        load: async () => (await import("./commands/policy-history.ts")).policyExplainCommand,
      },
      "policy suggest": {
        does: "propose rules from your repeated answers",
        load: async () => (await import("./commands/policy-history.ts")).policySuggestCommand,
      },
      "policy show": { does: "print the rules in force", load: async () => (await import("./commands/policy.ts")).policyShowCommand },
      "policy accept": {
        does: "accept a changed file that allows more",
        load: async () => (await import("./commands/policy.ts")).policyAcceptCommand,
      },
      "policy forget": {
        does: "remove a rule that was added with an answer",
        load: async () => (await import("./commands/policy.ts")).policyForgetCommand,
      },
    },
  },
  {
    title: "Hear",
    commands: {
      listen: {
        does: "announce what agents do, and answer by key",
        load: async () => (await import("./commands/listen.ts")).listenCommand,
      },
    },
  },
  {
    title: "Hub",
    commands: {
      "hub stop": { does: "stop the hub", load: async () => (await import("./commands/hub-run.ts")).stopCommand },
      "hub restart": {
        does: "restart the hub without losing anything",
        load: async () => (await import("./commands/hub-run.ts")).restartCommand,
      },
      "hub status": {
        does: "list the hubs on the same database",
        load: async () => (await import("./commands/hub-status.ts")).hubStatusCommand,
      },
      "hub config": { does: "check and show the settings", load: async () => (await import("./commands/config.ts")).configCommand },
      "hub autostart": {
        does: "start the hub when you log in",
        load: async () => (await import("./commands/autostart.ts")).autostartCommand,
      },
      "hub backup": {
        does: "copy the ledger, and verify the copy",
        load: async () => (await import("./commands/backup.ts")).backupCommand,
      },
      "hub verify": {
        does: "check that nothing stored was changed",
        load: async () => (await import("./commands/verify.ts")).verifyCommand,
      },
      "hub prune": { does: "remove old entries", load: async () => (await import("./commands/prune.ts")).pruneCommand },
      "hub erase": {
        does: "remove the text of one entry beyond recovery",
        load: async () => (await import("./commands/erase.ts")).eraseCommand,
      },
      "migrate-store": {
        does: "copy the ledger into PostgreSQL",
        load: async () => (await import("./commands/migrate-store.ts")).migrateStoreCommand,
      },
      import: { does: "import recordings", load: async () => (await import("./commands/import.ts")).importCommand },
      export: { does: "record a session, or all, as JSON lines", load: async () => (await import("./commands/export.ts")).exportCommand },
      uninstall: { does: "remove Earshot from this machine", load: async () => (await import("./commands/uninstall.ts")).uninstallCommand },
    },
  },
  {
    title: "Devices and programs",
    commands: {
      "device add": { does: "pair a browser or phone", load: async () => (await import("./commands/device.ts")).addDeviceCommand },
      "device list": { does: "list the paired devices", load: async () => (await import("./commands/device.ts")).listDevicesCommand },
      "device revoke": { does: "revoke a device", load: async () => (await import("./commands/device.ts")).revokeDeviceCommand },
      "device reset": {
        does: "remove every approver, when all are lost",
        load: async () => (await import("./commands/device.ts")).resetDevicesCommand,
      },
      "token create": {
        does: "make a credential for a program",
        load: async () => (await import("./commands/token.ts")).createTokenCommand,
      },
      "token list": { does: "list credentials", load: async () => (await import("./commands/token.ts")).listTokensCommand },
      "token revoke": { does: "revoke a credential", load: async () => (await import("./commands/token.ts")).revokeTokenCommand },
      "source add": { does: "follow an AAEP producer", load: async () => (await import("./commands/source.ts")).addSourceCommand },
      "source list": {
        does: "list the producers that the hub follows",
        load: async () => (await import("./commands/source.ts")).listSourcesCommand,
      },
      "source remove": { does: "stop following a producer", load: async () => (await import("./commands/source.ts")).removeSourceCommand },
    },
  },
  {
    title: "Conformance",
    commands: {
      check: { does: "check recordings against the three protocols", load: async () => (await import("./commands/check.ts")).checkCommand },
      "check producer": {
        does: "drive a live AAEP producer",
        load: async () => (await import("./commands/check-producer.ts")).checkProducerCommand,
      },
      "check subscriber": {
        does: "drive a live AAEP subscriber",
        load: async () => (await import("./commands/check-subscriber.ts")).checkSubscriberCommand,
      },
      "check explain": {
        does: "explain a rule or a problem code",
        load: async () => (await import("./commands/explain.ts")).explainCommand,
      },
      "check rules": { does: "list the rules of the protocols", load: async () => (await import("./commands/rules.ts")).rulesCommand },
      map: {
        does: "show what a coding agent's hook payload means in AEP",
        load: async () => (await import("./commands/map.ts")).mapCommand,
      },
    },
  },
  {
    title: "Recordings",
    commands: {
      capture: {
        does: "record a producer or a command that has no hub",
        load: async () => (await import("./commands/capture.ts")).captureCommand,
      },
      replay: { does: "play a recording again", load: async () => (await import("./commands/replay.ts")).replayCommand },
      visualize: {
        does: "draw what the agents in a recording did",
        load: async () => (await import("./commands/visualize.ts")).visualizeCommand,
      },
      diff: { does: "show where two runs of a task diverge", load: async () => (await import("./commands/diff.ts")).diffCommand },
    },
  },
  {
    title: "Shell",
    commands: {
      completion: {
        does: "print the completion for bash, zsh or fish",
        load: async () =>
          (await import("./commands/completion.ts")).createCompletionCommand({ commands: ALL_COMMANDS, prefixes: PREFIXES }),
      },
    },
  },
];

/** The rows of `earshot --help`; `policy` stands for all its commands. */
export const FIRST_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  Begin: ["start", "status", "init", "doctor", "demo"],
  See: ["sessions", "show", "search", "tail"],
  Decide: ["inbox", "policy"],
  Hear: ["listen"],
};

/** Members that commands of two words share. */
export const PREFIXES: Readonly<Record<string, string>> = {
  policy: "your rules, which decide before you are asked",
  hub: "the hub: stop, settings, backup, removal",
  device: "browsers and phones that were admitted",
  token: "credentials for other programs",
  source: "AAEP producers that the hub follows",
  session: "stop or resume an agent's session",
};

export const ALL_COMMANDS: Readonly<Record<string, CommandEntry>> = Object.assign({}, ...GROUPS.map(({ commands }) => commands));
