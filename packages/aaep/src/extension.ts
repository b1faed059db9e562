/** What Earshot adds to AAEP, in events, messages and manifests: declared in `@context`, found under this prefix in `extensions`. */
export const EARSHOT_CONTEXT = "urn:earshot:aaep:v1";
export const EARSHOT_PREFIX = "earshot";

/** The message that asks for a session to be stopped: `{type, session_id, reason?}`. AAEP has none of its own. */
export const SESSION_STOP = "earshot:session.stop";
