import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** A part of the dashboard that could not be loaded: the hub is away, or a newer one that serves newer parts. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super("A part of the dashboard could not be loaded.", { cause });
  }
}

/** A component that is loaded when it is first drawn. Stands in a `LoadBoundary`, which says when that fails. */
export function loadLater<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch((cause: unknown) => {
      throw new NotLoaded(cause);
    }),
  );
}
