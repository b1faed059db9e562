/** Whether an answer is a plain yes or a plain no; anything else is for words. */
export function readAnswer(answer: string | undefined): "yes" | "no" | undefined {
  if (answer === undefined) return undefined;
  if (/^(?:accept|allow|approve|yes|true|continue)(?:ed|d)?$/i.test(answer)) return "yes";
  return /^(?:reject(?:ed)?|deny|denied|block(?:ed)?|no|false|stop)$/i.test(answer) ? "no" : undefined;
}
