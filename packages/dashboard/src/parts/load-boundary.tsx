import { Component, type ReactNode } from "react";
import { NotLoaded } from "./load-later.ts";
import { BrokenNotice, NotLoadedNotice } from "./not-loaded-notice.tsx";

export interface LoadBoundaryProps {
  readonly children: ReactNode;
  /** Level of the replacement's heading. */
  readonly level: "h1" | "h2";
}

/**
 * Contains the failure of a part that cannot be loaded or rendered, and shows what to do. React supports error boundaries only as
 * classes.
 */
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
