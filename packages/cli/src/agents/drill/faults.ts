/** The ways in which a gate can be broken. Where there is a script, it stands in for the launcher. */
export interface Fault {
  readonly name: string;
  readonly script?: string;
  readonly mode?: number;
  readonly isHang?: true;
  /** The real launcher, with a hub or without one. */
  readonly hub?: "down" | "denies";
}

export const FAULTS: readonly Fault[] = [
  { name: "launcher missing" },
  // An agent that runs it all the same, as Copilot CLI does, is told that it fails.
  { name: "launcher not executable", script: "#!/bin/sh\nexit 1\n", mode: 0o600 },
  { name: "launcher crashes", script: "#!/bin/sh\nkill -s SEGV $$\n", mode: 0o700 },
  { name: "launcher ends with 1", script: "#!/bin/sh\nexit 1\n", mode: 0o700 },
  { name: "launcher ends with 2", script: "#!/bin/sh\nexit 2\n", mode: 0o700 },
  // It ends by itself soon after: a plugin that waits for it cannot be stopped from outside.
  { name: "launcher hangs past the deadline", script: "#!/bin/sh\nexec sleep 3\n", mode: 0o700, isHang: true },
  { name: "launcher prints garbage", script: "#!/bin/sh\necho 'garbage {'\n", mode: 0o700 },
  { name: "hub down", hub: "down" },
  { name: "hub says deny", hub: "denies" },
];
