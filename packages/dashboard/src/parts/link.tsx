import type { MouseEvent, ReactNode } from "react";
import { navigate } from "../route.ts";

export interface LinkProps {
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly "aria-current"?: "page" | "true" | undefined;
  readonly "aria-label"?: string;
}

/**
 * A link within the dashboard: a real link, which works for new tabs and assistive technology, but does not load a page when followed
 * here.
 */
export function PageLink({ href, children, ...rest }: LinkProps): ReactNode {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
