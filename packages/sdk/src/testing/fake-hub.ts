import type { PlatformRequest, PlatformResponse } from "../delivery/platform.ts";
import { FakePlatform } from "./fake-platform.ts";

type Told = Readonly<Record<string, unknown>>;

/** A hub in memory that takes AAEP events, asks people, and passes on their answers. */
export class FakeHub extends FakePlatform {
  readonly protocol = "aaep" as const;
  /** The results of requests by the id of the asking event. */
  readonly answers = new Map<string, Told>();
  readonly stopped = new Map<string, string>();
  /** Whether people are asked at all. */
  asks = true;

  get events(): readonly { readonly type: string; readonly [member: string]: unknown }[] {
    return this.received.map((line) => JSON.parse(line) as { type: string });
  }

  wait = async (asked: PlatformRequest): Promise<PlatformResponse> => {
    if (this.receiver === "away") return { kind: "unsent" };
    this.asked.push(asked);
    const { pathname } = new URL(asked.url);
    const [, , kind, name = "", rest] = pathname.split("/");
    if (rest === "standing")
      return this.#held(() => (this.stopped.has(name) ? { stopped: true, reason: this.stopped.get(name) } : undefined), { stopped: false });
    if (kind === "answers") return this.#held(() => this.answers.get(name), { waits: true });
    const { event_id: id } = JSON.parse(asked.body ?? "{}") as { readonly event_id: string };
    if (!this.received.includes(asked.body ?? "")) return { kind: "answered", status: 500, body: "{}" };
    return answered(this.asks ? { position: 1, duplicate: true, request: id } : { position: 1, duplicate: true });
  };

  /** Holds the call for a while, as a hub does. */
  async #held(look: () => Told | undefined, otherwise: Told): Promise<PlatformResponse> {
    for (let turn = 0; turn < 200; turn++) {
      const told = look();
      if (told !== undefined) return answered(told);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return answered(otherwise);
  }
}

function answered(body: Told): PlatformResponse {
  return { kind: "answered", status: 200, body: JSON.stringify(body) };
}
