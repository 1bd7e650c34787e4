import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { INBOX_FILTERS, type InboxFilter, type InboxItem } from "../../shared/contracts/reviews/inbox.ts";
import type { AppLocation } from "../app-location.ts";
import { Link, navigate } from "../navigation.tsx";
import { commands } from "../texts/commands.ts";
import { inboxTexts } from "../texts/people.ts";
import { More } from "../ui/more.tsx";
import { Copyable, Loading, Problem, useTitle } from "../ui/parts.tsx";
import { InboxRow } from "./inbox-row.tsx";
import { inboxQuery } from "./queries.ts";
import "./inbox.css";

/** Shows what waits for the reader, over all projects of the team. */
export function InboxPage({ location }: { location: Extract<AppLocation, { page: "inbox" }> }) {
  const { filter = "mine", project } = location;
  useTitle(inboxTexts.title);
  const query = useInfiniteQuery(inboxQuery({ filter, ...(project && { project }) }));
  const { data, error, refetch } = query;
  const items = data?.pages.flatMap(page => page.data);
  const counts = data?.pages[0]?.counts;
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list, project);
  return (
    <>
      <div className="page-head">
        <h1>{inboxTexts.title}</h1>
      </div>
      <div className="inbox-filters">
        <fieldset className="chips">
          <legend className="hidden">{inboxTexts.filter}</legend>
          {INBOX_FILTERS.map(name => (
            <button
              key={name}
              type="button"
              aria-pressed={filter === name}
              onClick={() => navigate(locationOf(name, project), "replace")}
            >
              {inboxTexts.counted(inboxTexts.filters[name], counts?.[name] ?? 0)}
            </button>
          ))}
        </fieldset>
        {project && (
          <button type="button" onClick={() => navigate(locationOf(filter), "replace")}>
            {inboxTexts.project}: {project} ×<span className="hidden"> {inboxTexts.allProjects}</span>
          </button>
        )}
      </div>
      {error && !items && <Problem error={error} what={inboxTexts.thing} again={refetch} />}
      {!items && !error && <Loading what={inboxTexts.thing} />}
      {items?.length === 0 && <EmptyInbox filter={filter} hasOthers={(counts?.all ?? 0) > 0} />}
      {items && items.length > 0 && (
        <>
          <ul ref={list} className="rows inbox" aria-label={inboxTexts.filters[filter]}>
            {items.map((item: InboxItem) => (
              <InboxRow key={item.run.id} item={item} />
            ))}
          </ul>
          <p className="hint inbox-keys">{inboxTexts.keys}</p>
        </>
      )}
      <More list={query}>{inboxTexts.older}</More>
    </>
  );
}

function locationOf(filter: InboxFilter, project?: string): AppLocation {
  return { page: "inbox", ...(filter !== "mine" && { filter }), ...(project && { project }) };
}

/** Moves the focus between items with the arrow keys, and filters with numbers. */
function useListKeys(list: React.RefObject<HTMLUListElement | null>, project: string | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (!(target instanceof Element) || event.defaultPrevented || event.isComposing) return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
      const filter = INBOX_FILTERS[Number(key) - 1];
      if (filter) return navigate(locationOf(filter, project), "replace");
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key];
      if (step === undefined) return;
      const links = [...(list.current?.querySelectorAll<HTMLElement>(".inbox-open") ?? [])];
      const at = links.findIndex(link => link.closest("li")?.contains(document.activeElement));
      const next = links[at === -1 ? (step > 0 ? 0 : links.length - 1) : at + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.closest("li")?.scrollIntoView({ block: "nearest" });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [list, project]);
}

function EmptyInbox({ filter, hasOthers }: { filter: InboxFilter; hasOthers: boolean }) {
  const { empty, emptyAbout } = inboxTexts;
  return (
    <section className="inbox-empty" aria-labelledby="empty-inbox">
      <h2 id="empty-inbox">{empty[filter]}</h2>
      <p className="about">{emptyAbout[filter]}</p>
      {filter === "mine" && (
        <>
          <p className="about">{inboxTexts.emptyRules}</p>
          <Copyable text={commands.assignByRule(new URL("v1/projects", document.baseURI))} />
        </>
      )}
      {filter === "mentions" && <p className="about">{inboxTexts.emptyMention}</p>}
      {filter !== "all" && hasOthers && (
        <p>
          <Link className="button" to={locationOf("all")}>
            {inboxTexts.seeAll}
          </Link>
        </p>
      )}
    </section>
  );
}
