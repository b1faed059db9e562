import { randomInt } from "node:crypto";

/** Short, common, and unlike each other when they are heard. */
const WORDS = `amber anchor apple arrow autumn bacon badge bamboo banjo basket beacon berry bicycle blanket bottle bridge bronze
  bucket butter cabin cactus camera candle canyon carpet castle cedar cherry chimney cinema circus clover coffee comet
  copper coral cotton cousin cricket crystal daisy dancer desert diamond dolphin donkey dragon eagle ember engine falcon
  feather fiddle finger forest fountain galaxy garden ginger giraffe glacier goblin guitar hammer harbour helmet hockey
  honey igloo island ivory jacket jungle kettle kitten ladder lantern lemon library lizard magnet mango maple marble
  meadow melon mirror monkey mountain museum mustard napkin needle nickel ocean olive orange orchid oyster paddle panda
  pebble pencil pepper piano pigeon pillow pirate planet pocket poppy puzzle rabbit rocket saddle salmon shadow silver
  spider summer thunder tiger tunnel turtle velvet violin walnut window`.split(/\s+/);

/** Three words and two digits: 27 bits, said in a breath. Enough, since few tries are allowed. */
export function createSpokenCode(): string {
  const words = Array.from({ length: 3 }, () => WORDS[randomInt(WORDS.length)]);
  return `${words.join(" ")} ${randomInt(10)}${randomInt(10)}`;
}

/** As it was heard: case, hyphens and spaces make no difference. */
export function normaliseSpokenCode(text: string): string {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "")
    .join(" ")
    .replace(/(\d) (?=\d)/g, "$1");
}
