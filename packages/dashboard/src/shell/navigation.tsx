import { type ReactNode, useEffect, useState } from "react";
import { Link } from "../parts/link.tsx";
import { hrefOf, usePlace } from "../route.ts";
import { PAGES } from "./pages.ts";

/** Always in sight, also where there is room for little. */
const OFTEN: readonly string[] = ["now", "inbox"];

/** Where one can go. Where there is little room, what is needed less often is behind a button. */
export function Navigation({ waiting }: { readonly waiting: number }): ReactNode {
  const { page: here } = usePlace();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere has chosen
  useEffect(() => setOpen(false), [here]);
  return (
    <nav aria-label="Pages" className={isOpen ? "pages open" : "pages"}>
      <ul>
        {PAGES.filter(({ listed }) => listed).map(({ name, title }) => (
          <li key={name} className={OFTEN.includes(name) || name === here ? undefined : "seldom"}>
            <Link href={hrefOf(name)} aria-current={name === here ? "page" : undefined}>
              {title}
              {name === "inbox" && waiting > 0 ? (
                <>
                  <span className="told">{`, ${waiting} waiting`}</span>
                  <span className="count" aria-hidden="true">
                    {waiting}
                  </span>
                </>
              ) : null}
            </Link>
          </li>
        ))}
        <li className="all-pages">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Fewer" : "More"}
            <span className="told"> pages</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}
