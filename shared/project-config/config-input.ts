import type { ElementTarget, SessionSettings, Step } from "./steps-input.ts";

/** The requests that a network rule applies to. */
interface MatchedRequests {
  /** URL or glob: `*` matches within a path segment, `**` across segments. */
  readonly url: string;
  /** HTTP methods of the requests. Default: all. */
  readonly methods?: readonly ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[];
  /** What the page requests, by Playwright's names. Default: all. */
  readonly resourceTypes?: readonly (
    | "document"
    | "stylesheet"
    | "image"
    | "media"
    | "font"
    | "script"
    | "texttrack"
    | "xhr"
    | "fetch"
    | "eventsource"
    | "manifest"
    | "ping"
    | "other"
  )[];
}

/** A rule for requests of a page. The first matching rule applies. */
export type NetworkRule =
  | (MatchedRequests & {
      /** The request fails. */
      readonly action: "block";
    })
  | (MatchedRequests & {
      /** The request gets this response, without its server. */
      readonly action: "fulfil";
      /** Status of the response, 200–599. @default 200 */
      readonly status?: number;
      /** Content type of the response. @default "text/plain; charset=utf-8", or by the extension of `file` */
      readonly contentType?: string;
      /** Body of the response. @default "" */
      readonly body?: string;
      /**
       * File with the body, in place of `body`, relative to this file. At most 1 MiB. Only the command line reads it.
       */
      readonly file?: string;
    })
  | (MatchedRequests & {
      /** The request gets its response from a recording. */
      readonly action: "har";
      /** HAR file, relative to this file. `vrs check --record-har` writes it. Only the command line reads it. */
      readonly file: string;
      /** What happens to a request that the file doesn't have. `continue` sends it. @default "abort" */
      readonly notFound?: "abort" | "continue";
    })
  | (MatchedRequests & {
      /** The request is sent later. The page's clock waits meanwhile. */
      readonly action: "delay";
      /** Time after which the request is sent, ms, 1–30,000. */
      readonly delayMs: number;
    });

/** A width in px, or a width and a height. The default height is 800 px. */
type Viewport = number | { readonly width: number; readonly height: number };

/**
 * A named set of browser options. Pages are captured in every environment. Without an option, it has the value of a
 * desktop Chromium in light mode.
 */
export interface EnvironmentSettings {
  /**
   * Device of Playwright's list, such as `iPhone 15`. It sets viewport, scale factor, touch, and user agent. The other
   * options override its values.
   */
  readonly device?: string;
  /** Viewports of this environment. Default: the device's viewport, or the viewports of the route. */
  readonly viewports?: readonly Viewport[];
  /** Image pixels per CSS pixel, 1–4. @default 1 */
  readonly deviceScaleFactor?: number;
  /** Whether the viewport meta tag is used and touch gestures scroll. @default false */
  readonly isMobile?: boolean;
  /** Whether the page gets touch events. @default false */
  readonly hasTouch?: boolean;
  /** User agent that the browser sends. */
  readonly userAgent?: string;
  /** Browser that captures the pages. @default "chromium" */
  readonly browser?: "chromium" | "firefox" | "webkit";
  /** Value of `prefers-color-scheme`. @default "light" */
  readonly colorScheme?: "light" | "dark";
  /** Value of `forced-colors`. @default "none" */
  readonly forcedColors?: "none" | "active";
  /** Value of `prefers-reduced-motion`. @default "reduce" */
  readonly reducedMotion?: "reduce" | "no-preference";
  /** Value of `prefers-contrast`. @default "no-preference" */
  readonly contrast?: "no-preference" | "more";
  /** CSS media type. @default "screen" */
  readonly media?: "screen" | "print";
  /** Language of the browser, such as `de-DE`. @default "en-US" */
  readonly locale?: string;
  /** Time zone of the browser, such as `Europe/Berlin`. @default "UTC" */
  readonly timezone?: string;
  /** Location that the page may read. Default: permission denied. */
  readonly geolocation?: {
    readonly latitude: number;
    readonly longitude: number;
    /** Meters. @default 0 */
    readonly accuracy?: number;
  };
  /** Start of the page's clock, such as `2026-01-31T09:00:00Z`. Overrides the page's `clock`. */
  readonly clock?: string;
  /** Whether the network is off once the page has loaded. @default false */
  readonly offline?: boolean;
  /** Whether the page's scripts run. @default true */
  readonly javaScript?: boolean;
}

/** How the screenshots of a page are captured. */
export interface CaptureSettings {
  /** CSS selectors of elements that are painted over with one solid color. */
  readonly masks?: readonly string[];
  /** CSS selectors of elements that are made invisible. They keep their space. */
  readonly hide?: readonly string[];
  /** CSS selector of an element that must be visible before the screenshot. */
  readonly waitForSelector?: string;
  /**
   * Extra request headers, sent only to the application's origin. The file is in the repository: don't put
   * secrets in it.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Rules for requests of the page. The first matching rule applies. */
  readonly network?: readonly NetworkRule[];
  /** Start of the page's clock, such as `2026-01-31T09:00:00Z`. @default the time of the capture */
  readonly clock?: string;
  /**
   * `seeded` gives `Math.random` and `crypto.randomUUID` the same values in every capture of a page. @default
   * "seeded"
   */
  readonly random?: "seeded" | "real";
  /**
   * Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step,
   * the page is captured after the last step.
   */
  readonly steps?: readonly Step[];
  /** Session whose cookies and storage the page gets. */
  readonly session?: string;
  /** Element that the screenshot shows in place of the page. */
  readonly element?: ElementTarget;
  /** Space around the element, px. @default 0 */
  readonly padding?: number;
  /** Whether the screenshot shows the whole page. With `false`, it shows the viewport. @default true */
  readonly fullPage?: boolean;
  /** Height at which the screenshot is cut, px. @default 20000 */
  readonly maxHeight?: number;
}

/** Where an ignore region applies. */
interface IgnoredWhere {
  /** Viewport width at which it is ignored, in px. Default: every width. */
  readonly viewport?: number;
  /** Environment in which it is ignored. `default` is the one without settings. Default: all. */
  readonly environment?: string;
}

/** A rectangle of a page, in CSS pixels from the top left corner. */
interface IgnoredRectangle extends IgnoredWhere {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Elements of a page. They are ignored where they are in the baseline, too. */
interface IgnoredElements extends IgnoredWhere {
  /** CSS selector. */
  readonly selector: string;
  /** Space around each element that is ignored too, in px. @default 0 */
  readonly padding?: number;
}

/** How a screenshot is compared with its baseline. */
interface CompareSettings {
  /** Fraction of changed pixels above which a screenshot needs a review, 0–1: 0.01 is 1%. @default 0.01 */
  readonly threshold?: number;
  /**
   * Maximum difference of two colors that count as equal, 0–1. With 0, every difference counts except
   * anti-aliasing. @default 0.1
   */
  readonly colorThreshold?: number;
  /**
   * Up to 50 rectangles or selectors of elements in which changed pixels don't count. The report shows each one
   * and the changes in it.
   */
  readonly ignoreRegions?: readonly (IgnoredRectangle | IgnoredElements)[];
}

/** Settings of a single route. */
export interface RouteSettings extends CaptureSettings, CompareSettings {
  /** Viewports of this route. */
  readonly viewports?: readonly Viewport[];
  /** Environments of this route. `default` is the one without settings. Default: all. */
  readonly environments?: readonly string[];
}

/** A plugin of the command line. */
interface Plugin {
  /** Identifies the plugin in messages. */
  readonly name: string;
}

/** The object that `service.config.ts` exports. Every field has a default. */
export interface ConfigInput extends CaptureSettings, CompareSettings {
  /** URL of the application during development. @default "http://localhost:3000" */
  readonly baseUrl?: string;
  /** Paths of the pages. Each starts with `/`. @default ["/"] */
  readonly routes?: readonly string[];
  /** Viewports: widths in px, 240–3840, or widths and heights. @default [1280] */
  readonly viewports?: readonly Viewport[];
  /** Named sets of browser options. Each page is captured in every environment, in addition to the default one. */
  readonly environments?: Readonly<Record<string, EnvironmentSettings>>;
  /** Whether pages are captured without an environment, too. @default true */
  readonly defaultEnvironment?: boolean;
  /** Named logins. Each is performed once, for all pages that name it. */
  readonly sessions?: Readonly<Record<string, SessionSettings>>;
  /** Hosts that pages of an archive may reach besides the archive. Runs without an archive ignore it. */
  readonly allowHosts?: readonly string[];
  /** Namespace of the baselines. Default: `owner/repo`, or the host of the URL. */
  readonly project?: string;
  /** Settings of single routes, by their path. They override the settings above, field by field. */
  readonly perRoute?: Readonly<Record<string, RouteSettings>>;
  /** The project's Storybook. `vrs storybook` and `vrs run --storybook` check its stories. */
  readonly storybook?: {
    /**
     * Folder of the Storybook's build, relative to this file, or URL of a running one. @default "storybook-static"
     */
    readonly source?: string;
    /** Script of `package.json` that builds the Storybook first. Only the command line runs it. */
    readonly build?: string;
    /** Tags that stories must have, or with `!` must not have. Default: all stories. */
    readonly tags?: readonly string[];
    /**
     * Skips stories whose files are the same as for their baselines, and audits 2% of them. Applies to builds, not to
     * URLs. @default false
     */
    readonly onlyChanged?: boolean;
    /** Viewports of stories without their own. Default: `viewports`. */
    readonly viewports?: readonly Viewport[];
    /** Fraction of changed pixels above which a story needs a review, 0–1. Default: `threshold`. */
    readonly threshold?: number;
  };
  /** The place and branch of baselines. */
  readonly baselines?: {
    /** Folder in the repository, relative to this file. @default ".service/baselines" */
    readonly directory?: string;
    /** Branch, tag, or commit to compare with. Default: the current files in the folder. */
    readonly branch?: string;
  };
  /** The browser that renders. Only the command line uses it. */
  readonly browser?: {
    /** Path of your own Chromium or Chrome. */
    readonly path?: string;
  };
  /**
   * Pages that are rendered concurrently, 1–64. Default: the number of cores. Only the command line uses it.
   */
  readonly concurrency?: number;
  /** Plugins. Only the command line uses them. */
  readonly plugins?: readonly Plugin[];
}
