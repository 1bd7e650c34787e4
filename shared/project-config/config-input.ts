/** What to do with a request that a page makes, by its URL. The first rule that matches decides. */
export type NetworkRule =
  | {
      /** URL or glob: `*` within a path segment, `**` across segments. */
      readonly url: string;
      /** The request fails. */
      readonly action: "block";
    }
  | {
      /** URL or glob: `*` within a path segment, `**` across segments. */
      readonly url: string;
      /** The request is answered from here, without asking its server. */
      readonly action: "fulfil";
      /** Status of the answer, 200–599. @default 200 */
      readonly status?: number;
      /** Its content type. @default "text/plain; charset=utf-8" */
      readonly contentType?: string;
      /** Its body. @default "" */
      readonly body?: string;
    };

/** How to take the screenshots of a page. */
export interface CaptureSettings {
  /** CSS selectors of elements painted over with one flat colour. */
  readonly masks?: readonly string[];
  /** CSS selectors of elements made invisible; they keep their place. */
  readonly hide?: readonly string[];
  /** CSS selector of an element that must be visible before the screenshot. */
  readonly waitForSelector?: string;
  /** Extra request headers, sent to the application's origin only. The file is in the repository: no secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What to do with requests of the page. The first rule that matches decides. */
  readonly network?: readonly NetworkRule[];
  /** Where the page's clock starts, such as `2026-01-31T09:00:00Z`. @default the time of the capture */
  readonly clock?: string;
  /**
   * `seeded` gives `Math.random` and `crypto.randomUUID` the same values in every capture of a page. @default "seeded"
   */
  readonly random?: "seeded" | "real";
}

/** A rectangle of a page, CSS pixels from the top left corner. */
interface IgnoreRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Width at which it is ignored, px. Default every width. */
  readonly viewport?: number;
}

/** How a screenshot is compared with its baseline. */
interface CompareSettings {
  /** Fraction of changed pixels above which a screenshot needs a review, 0–1: 0.01 is 1 %. @default 0.01 */
  readonly threshold?: number;
  /**
   * How far apart two colours may be and still count as one, 0–1: with 0 any difference counts but that of smoothed
   * edges. @default 0.1
   */
  readonly colorThreshold?: number;
  /** Rectangles of the page in which changed pixels do not count, at most 50. The report shows each with what it hid. */
  readonly ignoreRegions?: readonly IgnoreRegion[];
}

/** What a single route has of its own. */
export interface RouteSettings extends CaptureSettings, CompareSettings {
  /** Widths of this route, px. */
  readonly viewports?: readonly number[];
}

/** A plugin of the command-line tool. */
interface Plugin {
  /** Says in messages which plugin it is. */
  readonly name: string;
}

/** What `service.config.ts` exports. Every field has a default. */
export interface ConfigInput extends CaptureSettings, CompareSettings {
  /** Address of the application where you develop. @default "http://localhost:3000" */
  readonly baseUrl?: string;
  /** Paths of the pages, each starting with `/`. @default ["/"] */
  readonly routes?: readonly string[];
  /** Widths, px, 240–3840. @default [1280] */
  readonly viewports?: readonly number[];
  /** Namespace of the baselines. Default `owner/repo`, else the host of the address. */
  readonly project?: string;
  /** For single routes, by their path: settings that replace those above, field by field. */
  readonly perRoute?: Readonly<Record<string, RouteSettings>>;
  /** Where baselines are kept, and of which branch. */
  readonly baselines?: {
    /** Folder in the repository, relative to this file. @default ".service/baselines" */
    readonly directory?: string;
    /** Branch, tag or commit to compare with. Default the files in the folder as they are. */
    readonly branch?: string;
  };
  /** The browser that renders. Used by the command-line tool only. */
  readonly browser?: {
    /** Path of a Chromium or Chrome of your own. */
    readonly path?: string;
  };
  /** Pages rendered at once, 1–64. Default the number of cores. Used by the command-line tool only. */
  readonly concurrency?: number;
  /** Plugins. Used by the command-line tool only. */
  readonly plugins?: readonly Plugin[];
}
