import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** A chunk of the dashboard could not be loaded: the hub is away, or a newer hub serves newer chunks. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super("A part of the dashboard could not be loaded.", { cause });
  }
}

/** Returns a component that is loaded on first render, or at once if `isNext`. Requires a `LoadBoundary`, which shows a failure. */
export function loadLater<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { isNext = false } = {},
): LazyExoticComponent<ComponentType<Props>> {
  const begun = isNext ? load() : undefined;
  begun?.catch(() => {}); // reported when it is rendered
  return lazy(() =>
    (begun ?? load()).catch((cause: unknown) => {
      throw new NotLoaded(cause);
    }),
  );
}
