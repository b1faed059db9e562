import type { Danger } from "../danger.ts";

const ENGINES = ["docker", "podman", "nerdctl"];

export const CONTAINER_DANGERS: readonly Danger[] = [
  {
    id: "container-prune",
    sentence: "Deletes every container, image or volume that is not in use.",
    example: "docker system prune -af --volumes",
    harmless: "docker system df",
    risk: "high",
    reversible: false,
    forms: [{ programs: ENGINES, words: [["system", "volume", "image", "container", "network", "builder", "buildx"], ["prune"]] }],
  },
  {
    id: "container-remove",
    sentence: "Deletes containers, images or volumes, with the data in them.",
    example: "docker compose down -v",
    harmless: "docker compose down",
    risk: "medium",
    reversible: false,
    forms: [
      { programs: ENGINES, words: [["rm", "rmi"]], options: ["-f", "--force", "-v", "--volumes"] },
      { programs: ENGINES, words: [["container", "image"], ["rm"]], options: ["-f", "--force", "-v"] },
      { programs: ENGINES, words: [["volume"], ["rm", "remove"]] },
      { programs: ENGINES, words: [["compose"], ["down"]], options: ["-v", "--volumes", "--rmi"] },
      { programs: ENGINES, words: [["compose"], ["rm"]], options: ["-v", "-s"] },
      { programs: ["docker-compose", "podman-compose"], words: [["down"]], options: ["-v", "--volumes", "--rmi"] },
      { programs: ENGINES, words: [["swarm"], ["leave"]] },
      { programs: ENGINES, words: [["stack", "service", "secret", "node"], ["rm"]] },
    ],
  },
  {
    id: "container-privileged",
    sentence: "Gives a container the whole machine.",
    example: "docker run --privileged -v /:/host alpine",
    harmless: "docker run --rm alpine ls",
    risk: "high",
    reversible: false,
    forms: [
      { programs: ENGINES, words: [["run", "create"]], options: ["--privileged"] },
      {
        programs: ENGINES,
        words: [["run", "create"]],
        text: /(?:-v|--volume)[ =]?\/:|(?:source|src)=\/(?:,|$)|docker\.sock|--pid[ =]host|--cap-add[ =](?:ALL|SYS_ADMIN)/i,
      },
    ],
  },
];
