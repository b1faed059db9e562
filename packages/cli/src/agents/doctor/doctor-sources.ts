import { spawnSync } from "node:child_process";
import { findHub, type HubAccess, requestFromHub } from "../../hub-client.ts";
import { findRunningHub } from "../../running-hub.ts";
import type { RunningProgram } from "./check-agent.ts";
import type { DoctorSources } from "./examine.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

/** The real machine. EARSHOT_URL is ignored, as hooks ignore it. */
export function createDoctorSources(given: Environment): DoctorSources {
  const env = { ...given, EARSHOT_URL: "" };
  let access: HubAccess | undefined;
  return {
    async hub() {
      const running = await findRunningHub(env);
      access = running === undefined ? undefined : await findHub(env);
      const clock = running === undefined ? undefined : await readClock(running.url);
      return { running, isOurs: access !== undefined, ...(clock === undefined ? {} : { clock }) };
    },
    async heardAt(slug) {
      if (access === undefined) return undefined;
      const { items } = (await (await requestFromHub(access, `/api/sessions?agent=${encodeURIComponent(slug)}&limit=1`)).json()) as {
        readonly items: readonly { readonly lastHeardAt: number }[];
      };
      return items[0]?.lastHeardAt;
    },
    programs: () => runningPrograms(Date.now()),
  };
}

async function readClock(url: string): Promise<{ readonly hub: number; readonly here: number } | undefined> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(3000) });
    const hub = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(hub) ? undefined : { hub, here: Date.now() };
  } catch {
    return undefined; // it went away in the meantime
  }
}

/** The running programs; none if they cannot be listed. */
function runningPrograms(now: number): readonly RunningProgram[] {
  const { status, stdout } = spawnSync("ps", ["-axww", "-o", "pid=,etime=,args="], {
    encoding: "utf8",
    timeout: 5000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return status === 0 ? readPrograms(stdout, now) : [];
}

/** `[[days-]hours:]minutes:seconds`. */
export function readPrograms(text: string, now: number): readonly RunningProgram[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, days = "0", hours = "0", minutes, seconds, words = ""] =
      /^\s{0,99}(\d{1,10})\s{1,99}(?:(\d{1,6})-)?(?:(\d{1,3}):)?(\d{1,4}):(\d{1,3})\s{1,99}(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    const age = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
    return [{ pid: Number(pid), words: words.split(" "), startedAt: now - age * 1000 }];
  });
}
