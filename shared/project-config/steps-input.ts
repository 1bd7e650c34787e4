/** Maximum duration of a step. */
interface StepLimit {
  /** ms, 100–30,000. @default 5000 */
  readonly timeoutMs?: number;
}

/** What a page shows or does. Exactly one field. */
export interface Condition extends StepLimit {
  /** The element is visible. */
  readonly selector?: string;
  /** The text is visible. */
  readonly text?: string;
  /** A request whose URL matches this glob has its response. */
  readonly request?: string;
  /** No request is open. */
  readonly idle?: true;
  /** JavaScript expression that is true in the page, such as `window.isReady`. */
  readonly function?: string;
}

/** An element of the page: the first match, or all matches below each other. */
export type ElementTarget = string | { readonly selector: string; readonly all?: boolean };

/**
 * An action on the page. Each `selector` is a Playwright locator: a CSS selector, `role=button[name="Save"]`,
 * `text=Save`, `label=Email`, `placeholder=Email`, `testid=save`, or `xpath=//button`.
 */
export type Step =
  | ({
      readonly action: "click";
      readonly selector: string;
      /** @default "left" */
      readonly button?: "left" | "middle" | "right";
      /** Number of clicks. @default 1 */
      readonly count?: number;
    } & StepLimit)
  | ({ readonly action: "hover"; readonly selector: string } & StepLimit)
  | ({ readonly action: "focus"; readonly selector: string } & StepLimit)
  | ({
      readonly action: "fill";
      readonly selector: string;
      /** Text. `${secret.NAME}` is the project's secret, and `${totp.NAME}` the current one-time code of it. */
      readonly value: string;
    } & StepLimit)
  | ({
      readonly action: "press";
      /** Key or shortcut, such as `Enter` or `Control+K`. */
      readonly key: string;
      /** Element that gets the key. Default: the focused element. */
      readonly selector?: string;
    } & StepLimit)
  | ({
      readonly action: "select";
      readonly selector: string;
      /** Values or labels of the options. */
      readonly value: string | readonly string[];
    } & StepLimit)
  | ({
      readonly action: "check";
      readonly selector: string;
      /** State of the checkbox or radio button. @default true */
      readonly checked?: boolean;
    } & StepLimit)
  | ({
      readonly action: "drag";
      readonly selector: string;
      /** Element that the first one is dropped on. */
      readonly to: string;
    } & StepLimit)
  | ({
      readonly action: "upload";
      /** File input. */
      readonly selector: string;
      readonly files: readonly {
        readonly name: string;
        /** @default "application/octet-stream" */
        readonly contentType?: string;
        /** Content of the file. */
        readonly base64: string;
      }[];
    } & StepLimit)
  | ({
      readonly action: "scrollTo";
      /** Element to scroll to, or `y`. */
      readonly selector?: string;
      /** Distance from the top of the page, px. */
      readonly y?: number;
    } & StepLimit)
  | ({ readonly action: "waitFor" } & Condition)
  | ({
      readonly action: "goto";
      /** Path such as `/settings`, or an absolute URL. */
      readonly url: string;
      /** Status that the page must return, such as 404. By default, statuses from 400 fail. */
      readonly status?: number;
    } & StepLimit)
  | ({ readonly action: "setViewport"; readonly width: number; readonly height?: number } & StepLimit)
  | ({
      readonly action: "screenshot";
      /** Name of the state. Without a name, it is the page's own screenshot. */
      readonly name?: string;
      readonly element?: ElementTarget;
      /** Space around the element, px. @default 0 */
      readonly padding?: number;
      /** @default true */
      readonly fullPage?: boolean;
    } & StepLimit);

/** A named login. Pages that name the session get its cookies and storage. */
export interface SessionSettings {
  /** Page on which the steps begin. @default "/" */
  readonly url?: string;
  /** Steps of the login. */
  readonly steps?: readonly Step[];
  /** What proves that the login worked. */
  readonly expect?: Condition;
  /** Cookies that are set before the steps. */
  readonly cookies?: readonly {
    readonly name: string;
    readonly value: string;
    /** Default: the host of the page. */
    readonly domain?: string;
    /** @default "/" */
    readonly path?: string;
  }[];
  /** File with Playwright's storage state, relative to this file. Only the command line reads it. */
  readonly storageState?: string;
  /** Credentials of HTTP basic authentication for the application's origin. */
  readonly basicAuth?: { readonly username: string; readonly password: string };
  /** TLS client certificates of the session's pages and of its login. */
  readonly clientCertificates?: readonly {
    /** Origin that asks for the certificate. Default: the site. */
    readonly origin?: string;
    /** Certificate in PEM, or `certPath`. */
    readonly cert?: string;
    /** Private key in PEM, or `keyPath`. */
    readonly key?: string;
    readonly passphrase?: string;
    /** File with the certificate, relative to this file. Only the command line reads it. */
    readonly certPath?: string;
    /** File with the key, relative to this file. Only the command line reads it. */
    readonly keyPath?: string;
  }[];
}
