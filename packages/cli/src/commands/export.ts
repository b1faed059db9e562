import { command } from "../command.ts";
import { askHub, openHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";

export const exportSession = command(
  {
    name: "export",
    positionals: ["SESSION"],
    about: "Prints the events of a session as JSON lines, in their original order.",
    options: {
      protocol: {
        type: "string",
        choices: ["aaep", "aep", "aop"],
        about: "which session is meant, when several protocols use the same id",
      },
      source: { type: "string", value: "NAME", about: "which session is meant, when several sources use the same id" },
    },
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [session = ""] = positionals;
    const query = new URLSearchParams({
      session,
      ...(values.protocol && { protocol: values.protocol }),
      ...(values.source && { source: values.source }),
    });
    const response = await askHub(await openHub(process.env), `/api/export?${query}`);
    const decoder = new TextDecoder();
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) io.out(decoder.decode(chunk, { stream: true }));
    return EXIT.ok;
  },
);
