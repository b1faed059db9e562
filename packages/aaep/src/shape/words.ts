/** Scripts without spaces: about two characters make a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** About how many words a text has: enough to tell how long a person takes for it. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = (unspaced === 0 ? text : text.replace(UNSPACED, " ")).match(/\S+/gu)?.length ?? 0;
  return spaced + unspaced / 2;
}
