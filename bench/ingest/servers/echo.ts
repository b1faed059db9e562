import { serveJson } from "./json-server.ts";

/** The limit of HTTP in Node: reads the body, parses it, answers, stores nothing. */
serveJson((_said, answer) => answer());
