/** A rule for requests of a page, by URL. The first matching rule applies. */
export type NetworkRule =
  | {
      /** URL or glob: `*` matches within a path segment, `**` across segments. */
      readonly url: string;
      /** The request fails. */
      readonly action: "block";
    }
  | {
      /** URL or glob: `*` matches within a path segment, `**` across segments. */
      readonly url: string;
      /** The request gets this response, without its server. */
      readonly action: "fulfil";
      /** Status of the response, 200–599. @default 200 */
      readonly status?: number;
      /** Content type of the response. @default "text/plain; charset=utf-8" */
      readonly contentType?: string;
      /** Body of the response. @default "" */
      readonly body?: string;
    };

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
}

/** A rectangle of a page, in CSS pixels from the top left corner. */
interface IgnoreRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Viewport width at which it is ignored, in px. Default: every width. */
  readonly viewport?: number;
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
   * Up to 50 rectangles of the page in which changed pixels don't count. The report shows each one and the
   * changes in it.
   */
  readonly ignoreRegions?: readonly IgnoreRegion[];
}

/** Settings of a single route. */
export interface RouteSettings extends CaptureSettings, CompareSettings {
  /** Viewport widths of this route, in px. */
  readonly viewports?: readonly number[];
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
  /** Viewport widths, in px, 240–3840. @default [1280] */
  readonly viewports?: readonly number[];
  /** Namespace of the baselines. Default: `owner/repo`, or the host of the URL. */
  readonly project?: string;
  /** Settings of single routes, by their path. They override the settings above, field by field. */
  readonly perRoute?: Readonly<Record<string, RouteSettings>>;
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
