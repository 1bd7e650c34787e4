import type { Screenshot } from "../../api/screenshot.ts";
import type { QueueOrder } from "../../location-filters.ts";
import { reviewTexts } from "../../texts/review.ts";
import { largestFirst, type Section } from "./queue.ts";

/** Returns the queue's screenshots in another order. A group by route or component can be decided together. */
export function orderSections(sections: readonly Section[], order: QueueOrder): readonly Section[] {
  if (order === "change") return sections;
  const shots = sections.flatMap(section => section.shots);
  if (shots.length === 0) return [];
  if (order === "size")
    return [{ key: "size", title: reviewTexts.bySize, shots: largestFirst(shots), isGroup: false }];
  const nameOf = order === "route" ? ({ route }: Screenshot) => route : componentOf;
  return [...Map.groupBy(shots, nameOf)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([title, members]) => ({
      ...{ key: `${order} ${title}`, title, shots: members, isGroup: true },
      ...(order === "component" && members.every(({ story }) => story) && { path: title.split("/") }),
    }));
}

/**
 * Returns the component of a page: the title of a story, `Button` for the upload `Button/Primary`, `/shop` for the route `/shop/cart`. Its
 * parameters don't count.
 */
export function componentOf({ route, story }: Pick<Screenshot, "route" | "story">): string {
  if (story) return story.title;
  const [path = route] = route.split(/[?#]/);
  const parts = path.split("/").filter(part => part !== "");
  const start = path.startsWith("/") ? "/" : "";
  return `${start}${parts.slice(0, Math.max(1, parts.length - 1)).join("/")}`;
}
