import { type RefObject, useEffect, useRef, useState } from "react";

/** So near to the end counts as being there. */
const NEAR_PX = 120;

/** Follows the end of the page as it grows: only for whoever asked for it, and only while they are there. */
export function useFollow(length: number, region: RefObject<HTMLElement | null>): readonly [boolean, (follows: boolean) => void] {
  const [follows, setFollows] = useState(false);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      isAtEnd.current = innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_PX;
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it has grown
  useEffect(() => {
    if (follows && isAtEnd.current) region.current?.scrollIntoView({ block: "end" });
  }, [length, follows, region]);
  const change = (wanted: boolean) => {
    if (wanted) isAtEnd.current = true;
    setFollows(wanted);
  };
  return [follows, change];
}
