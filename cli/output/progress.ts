import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { sumTimings } from "../../shared/contracts/capture/timings.ts";
import { formatDifference } from "../../shared/report/describe-screenshot.ts";
import { visible, visibleLine } from "../../shared/text/visible-text.ts";
import type { CheckEvent, CheckedScreenshot } from "../check/check-result.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { type Paint, painter, type Terminal } from "../terminal.ts";
import { PROGRESS_TEXTS } from "../texts/check.ts";
import { TOOL_ERRORS } from "../texts/errors.ts";
import { shownAppLine } from "./app-output.ts";
import { paintAs } from "./changes-table.ts";
import { CheckState, type RouteInProgress } from "./check-state.ts";
import { duration, shareOf } from "./format.ts";
import { LiveLines } from "./live-lines.ts";
import { padEnd, padStart, shorten, widthOf } from "./text-width.ts";

/** Shows the progress of a check on standard error. */
export interface Progress {
  /** Handles an event of the check. */
  onEvent(event: CheckEvent): void;
  /** Prints a line of the started application. */
  printAppLine(line: string): void;
  /** Removes temporary output. Must be called after every check. */
  end(): void;
}

/**
 * Returns the progress display: live lines for routes in progress on a terminal, or a line now and then in a
 * log.
 */
export function showProgress(
  terminal: Terminal,
  { quiet, verbose }: Pick<GlobalOptions, "quiet" | "verbose">,
): Progress {
  if (quiet) {
    const warn = printMessages(text => terminal.err(`${text}\n`), painter(terminal));
    return { onEvent: warn, printAppLine: line => terminal.err(`${appLine(terminal, line)}\n`), end() {} };
  }
  return terminal.isInteractive ? liveProgress(terminal, verbose) : loggedProgress(terminal, verbose);
}

/** A log gets no colors of the application, even if ours are forced. */
const appLine = ({ hasColor, isInteractive }: Terminal, line: string) =>
  shownAppLine(line, { hasColor: hasColor && isInteractive });

/** Fast enough for the eye, slow enough for a remote terminal. */
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** Maximum of routes: they fit in a window, and more are unreadable. */
const LIVE_ROUTES = 8;

function liveProgress(terminal: Terminal, verbose: boolean): Progress {
  const paint = painter(terminal);
  const state = new CheckState();
  const lines = new LiveLines(terminal);
  const warn = printMessages(text => lines.print(text), paint);
  let frame = 0;
  const draw = () => {
    const now = performance.now();
    lines.show(liveView(state, { now, frame, columns: terminal.columns, paint }));
  };
  const ticker = setInterval(() => {
    frame += 1;
    draw();
  }, FRAME_MS);
  ticker.unref();
  return {
    onEvent(event) {
      state.note(event, performance.now());
      warn(event);
      if (verbose && event.type === "done") lines.print(screenshotLine(event.shot, paint));
    },
    printAppLine: line => lines.print(appLine(terminal, line)),
    end() {
      clearInterval(ticker);
      lines.clear();
    },
  };
}

interface View {
  now: number;
  frame: number;
  columns: number;
  paint: Paint;
}

/**
 * Returns the current lines: the routes in progress, and the total progress. Empty until something is
 * planned.
 */
export function liveView(state: CheckState, { now, frame, columns, paint }: View): string[] {
  if (state.total === 0) return [];
  // The last column stays free, since a full line would wrap on some terminals.
  const room = columns - 1;
  const shown = state.inProgress.slice(0, LIVE_ROUTES);
  const more = state.inProgress.length - shown.length;
  const longest = Math.max(0, ...state.routes.map(route => widthOf(visibleLine(route))));
  const spinner = FRAMES[frame % FRAMES.length] ?? "";
  return [
    ...shown.map(route => routeLine(route, { longest, room, now, spinner, paint })),
    ...(more > 0 ? [paint("dim", shorten(`  ${PROGRESS_TEXTS.moreRoutes(more)}`, room))] : []),
    `  ${shorten(state.line(now), room - 2)}`,
  ];
}

function routeLine(
  { route, done, total, startedAt }: RouteInProgress,
  {
    longest,
    room,
    now,
    spinner,
    paint,
  }: { longest: number; room: number; now: number; spinner: string; paint: Paint },
): string {
  const counts = PROGRESS_TEXTS.done(done, total);
  const since = padStart(`${Math.floor((now - startedAt) / 1000)} s`, 5);
  const width = Math.max(4, Math.min(longest, room - widthOf(`  ${counts}  ${since}`) - 2));
  const name = padEnd(shorten(visibleLine(route), width), width);
  return `${paint("cyan", spinner)} ${name}  ${counts}${paint("dim", since)}`;
}

/** Interval of lines in a log, if there was progress. */
const LINE_INTERVAL_MS = 10_000;
/** Interval of lines without progress: some CI services end silent jobs. */
const SIGN_OF_LIFE_MS = 60_000;

function loggedProgress(terminal: Terminal, verbose: boolean): Progress {
  const paint = painter(terminal);
  const state = new CheckState();
  const print = (text: string) => terminal.err(`${text}\n`);
  const warn = printMessages(print, paint);
  let printed = "";
  let printedAt = performance.now();
  const ticker = setInterval(() => {
    const now = performance.now();
    const counts = state.line(0);
    const waited = now - printedAt >= SIGN_OF_LIFE_MS;
    if (state.total === 0 || (counts === printed && !waited)) return;
    printed = counts;
    printedAt = now;
    const [oldest] = state.inProgress;
    const on = waited && oldest ? ` · ${PROGRESS_TEXTS.rendering(visibleLine(oldest.route))}` : "";
    print(`${state.line(now)}${on}`);
  }, LINE_INTERVAL_MS);
  ticker.unref();
  return {
    onEvent(event) {
      state.note(event, performance.now());
      warn(event);
      if (event.type === "planned") print(planLine(state));
      if (verbose && event.type === "done") print(screenshotLine(event.shot, paint));
    },
    printAppLine: line => print(appLine(terminal, line)),
    end: () => clearInterval(ticker),
  };
}

const planLine = (state: CheckState) => PROGRESS_TEXTS.plan(state.total, state.routes);

/** `± changed /pricing 375  0.36%  1.2 s` */
function screenshotLine(shot: CheckedScreenshot, paint: Paint): string {
  const took = sumTimings(shot.timings);
  const about = [
    ...(shot.status === "changed" || shot.minor ? [differenceOf(shot)] : []),
    ...(shot.stable ? [] : [PROGRESS_TEXTS.unstable(shot.moving)]),
    ...(shot.error ? [shot.error.message] : []),
    ...shot.notes,
    duration(took),
  ];
  const state = shot.minor ? "minor" : shot.status;
  const name = paintAs(state, paint, padEnd(state, "unchanged".length));
  return `  ${name}  ${visibleLine(pageName(shot))} ${shot.viewport}  ${paint("dim", visibleLine(about.join(" · ")))}`;
}

/** Returns the share of changed pixels. It is 0% for slightly different colors, so these are described instead. */
function differenceOf(shot: CheckedScreenshot): string {
  return shot.faintPixels > 0 ? formatDifference(shot) : shareOf(shot.diffRatio);
}

/** Prints warnings and notes when they arrive. */
function printMessages(print: (text: string) => void, paint: Paint): (event: CheckEvent) => void {
  return event => {
    if (event.type === "warning")
      print(`${paint("yellow", TOOL_ERRORS.warningLabel)} ${visible(event.message)}`);
    if (event.type === "note") print(visible(event.message));
  };
}
