import type { EndListener, Platform, PlatformRequest, PlatformResponse, Spool } from "../delivery/platform.ts";

/** A receiver in memory instead of the network. */
export class FakePlatform implements Platform {
  readonly asked: PlatformRequest[] = [];
  /** The acknowledged lines. */
  readonly received: string[] = [];
  readonly beacons: { readonly url: string; readonly body: string; readonly contentType: string }[] = [];
  readonly spool: Spool | undefined;
  listener: EndListener | undefined;
  /** `hub` and `collector` answer; the others do not. */
  receiver: "hub" | "collector" | "starting" | "stranger" | "away" | "silent" = "hub";
  named = true;
  /** The status of answers to posts. */
  status = 200;

  constructor(spool?: Spool) {
    this.spool = spool;
  }

  get posts(): readonly PlatformRequest[] {
    return this.asked.filter(({ method }) => method === "POST");
  }

  candidates() {
    return [{ url: "http://receiver", named: this.named }];
  }

  async request(asked: PlatformRequest): Promise<PlatformResponse> {
    this.asked.push(asked);
    if (this.receiver === "away") return { kind: "unsent" };
    if (this.receiver === "silent") return { kind: "unanswered" };
    if (asked.method === "GET") return { kind: "answered", ...HEALTH[this.receiver] };
    if (this.status === 200) this.received.push(...(asked.body ?? "").trimEnd().split("\n"));
    return { kind: "answered", status: this.status, body: "{}" };
  }

  beacon = (url: string, body: string, contentType: string): boolean => {
    this.beacons.push({ url, body, contentType });
    return true;
  };

  watch(listener: EndListener): () => void {
    this.listener = listener;
    return () => {
      this.listener = undefined;
    };
  }
}

const HEALTH = {
  hub: { status: 200, body: '{"ok":true,"version":"0.1.0","ready":true,"subscribers":0}' },
  starting: { status: 503, body: '{"ok":true,"version":"0.1.0","ready":false,"subscribers":0}' },
  collector: { status: 200, body: '{"ok":true,"version":"0.1.0","subscribers":0}' },
  stranger: { status: 404, body: "<h1>Not found</h1>" },
} as const;
