/** What is shown: who and what kind of thing, never what an agent wants to run. */
export interface Note {
  readonly title: string;
  readonly body: string;
  /** Stays until somebody has seen it, where the desktop knows such a thing. */
  readonly isUrgent: boolean;
}

/** A way to show something on the person's desktop, whether or not a browser is open. */
export interface Desktop {
  /** In words: `org.freedesktop.Notifications, by gdbus`. */
  readonly name: string;
  /** Whether what was shown can be taken away again. */
  readonly withdraws: boolean;
  /** Gives what it is taken away by, where that can be. Rejects when it could not be shown. */
  show(note: Note): Promise<string | undefined>;
  withdraw(handle: string): Promise<void>;
}

/** A desktop, or why there is none. */
export type Found = { readonly desktop: Desktop } | { readonly why: string };
