/** Conforming sessions with this many events, one text each. */
export function aaepSession(length: number, session = "sess_1"): readonly string[] {
  return Array.from({ length }, (_one, index) => {
    const isFirst = index === 0;
    const isLast = index === length - 1;
    const type = isFirst ? "session.started" : isLast ? "session.completed" : "progress.updated";
    const more =
      isFirst || isLast ? { summary_normal: isFirst ? "At work." : "Done." } : { progress: { step: index, total_steps: length } };
    return JSON.stringify({
      "@context": "https://aaep-protocol.org/context/v1",
      type: `aaep:agent.${type}`,
      event_id: `evt_${session.replace("_", "")}x${index}`,
      session_id: session,
      timestamp: new Date(Date.UTC(2026, 5, 1) + index * 1000).toISOString(),
      producer: { agent_id: "deploy-bot" },
      localization_hints: { primary_language: "en" },
      ...more,
    });
  });
}

export function aopSession(length: number, session = "run-1"): readonly string[] {
  return Array.from({ length }, (_one, index) => {
    const isFirst = index === 0;
    const isLast = index === length - 1;
    const type = isFirst ? "session.started" : isLast ? "session.ended" : "cognition.thought";
    const payload = isFirst
      ? { goal: "Get it done" }
      : isLast
        ? { outcome: "completed" }
        : { content: `Thought ${index}`, confidence: "high" };
    return JSON.stringify({
      spec: "aop/1.0",
      session_id: session,
      parent_session_id: null,
      agent_id: "builder",
      agent_version: null,
      sequence: index + 1,
      timestamp: new Date(Date.UTC(2026, 5, 1) + index * 1000).toISOString(),
      type,
      payload,
    });
  });
}
