import { serveJson } from "./json-server.ts";

/** The limit of HTTP itself in Node: takes the body, parses it, answers, and keeps nothing. */
serveJson((_said, answer) => answer());
