/** What is wrong with a policy file, and where: lines and columns begin at 1. */
export interface Trouble {
  /** The file it is in, as it was named to the reader. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** With an error nothing of the file counts; a warning is about a rule that is left out, or does less than it seems to. */
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
}

export type Place = Pick<Trouble, "line" | "column">;
