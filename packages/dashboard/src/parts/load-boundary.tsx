import { Component, type ReactNode } from "react";
import { NotLoaded } from "./load-later.ts";
import { BrokenNotice, NotLoadedNotice } from "./not-loaded-notice.tsx";

export interface LoadBoundaryProps {
  readonly children: ReactNode;
  /** Of the heading that stands there instead. */
  readonly level: "h1" | "h2";
}

/** What cannot be loaded or drawn takes nothing else with it, and says what to do. React knows of such a thing as a class only. */
export class LoadBoundary extends Component<LoadBoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { children, level } = this.props;
    const { error } = this.state;
    if (error === undefined) return children;
    return error instanceof NotLoaded ? <NotLoadedNotice level={level} /> : <BrokenNotice level={level} />;
  }
}
