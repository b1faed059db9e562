import type { Child } from "./child.ts";
import type { EventSource } from "./events.ts";
export async function measureListeners(_: { hub: Child; home: string; events: EventSource; rounds: number; seconds: number }): Promise<void> {}
