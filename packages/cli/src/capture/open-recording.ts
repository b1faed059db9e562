import { existsSync, statSync } from "node:fs";
import { EarshotError } from "@earshot/protocol/problem";
import { plainText } from "../terminal/plain-text.ts";
import { Recorder } from "./recorder.ts";
import { readSideFile, type SideFile, sideFileOf } from "./side-file.ts";

/** A recording that is to be written, and what an earlier capture left of it. */
export interface OpenedRecording {
  readonly recorder: Recorder;
  readonly before: SideFile | undefined;
  /** Bytes of a line that was not finished. */
  readonly torn: number;
}

/** Opens a new recording, or one of the same source to go on with. Whatever else is there is left alone. */
export function openRecording(path: string, source: SideFile["source"], { redacts }: { readonly redacts: boolean }): OpenedRecording {
  const before = readSideFile(path);
  if (before === undefined && existsSync(path) && statSync(path).size > 0) {
    throw refuse(`${path} exists, and no capture can go on with it: there is no ${sideFileOf(path)}.`, "Capture into another file.");
  }
  if (before !== undefined) {
    const { kind, name, session } = before.source;
    if (kind !== source.kind || name !== source.name || session !== source.session) {
      const was = `${plainText(name)}${session === undefined ? "" : `, session ${plainText(session)}`}`;
      throw refuse(`${path} holds a capture of something else: ${was}.`, "Capture into another file.");
    }
    if ((before.masked !== undefined) !== redacts) {
      const was = redacts ? "without" : "with";
      throw refuse(`${path} was captured ${was} --redact until now.`, "Go on with it in the same way, or capture into another file.");
    }
    if (before.pid !== undefined && before.pid !== process.pid && isRunning(before.pid)) {
      throw refuse(
        `Another capture writes ${path}: process ${before.pid}.`,
        `Stop it first. If that process is something else, remove "pid" from ${sideFileOf(path)}.`,
      );
    }
    if (!existsSync(path) || statSync(path).size < before.bytes) {
      throw refuse(`${path} is shorter than when it was captured: somebody has changed it.`, `Remove ${sideFileOf(path)} to begin anew.`);
    }
  }
  const recorder = Recorder.open(path);
  return { recorder, before, torn: recorder.mend(before?.bytes ?? 0) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function refuse(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}
