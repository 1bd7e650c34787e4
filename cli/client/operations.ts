/** Generated from the OpenAPI document by `npm run docs`. Edit the routes and contracts instead. */

/** What each operation of `/v1` takes, and its response. */
export interface Operations {
  /** Start a run. It continues after the response. Keys that can only upload may start runs of archives of their project. */
  "POST /v1/run": {
    input: {
      body: {
        /** URL of the site. Routes are appended to it. Required without `archive`. With it, only the path can be chosen: the folder where the site expects to be. */
        url?: string | undefined;
        /** Id of an archive of the project, from `POST /v1/archives`. Its files are the site. Pages can't reach anything else, except `options.allowHosts`. Requires `project` or `scm`. */
        archive?: string | undefined;
        /** The site is a Storybook, and its stories are the pages: `true`, or an object. `routes`, `environments` and `perRoute` don't apply. Parameters of the stories choose viewports and modes. */
        storybook?: true | {
          /** Tags that stories must have, or with `!` must not have. Then other stories are not reported as removed. */
          tags?: string[] | undefined;
          /** Skips stories that would load the same files as for their baselines. They keep their baselines. At random, 2% of them are captured as an audit. Requires an archive. Default: false. */
          onlyChanged?: boolean | undefined;
          /** Hashes of the source files behind each file of stories, by the `importPath` of Storybook's index. With `onlyChanged`, stories are also skipped if theirs is the same as for their baselines. `vrs run` reads them from the statistics of the bundler. */
          sources?: Record<string, string> | undefined;
        } | undefined;
        /** Paths of the pages. */
        routes?: string[] | undefined;
        /** Viewports: widths in px, or { width, height }. The default height is 800. */
        viewports?: (number | {
          width: number;
          height: number;
        })[] | undefined;
        /** Share of changed pixels above which a screenshot needs review, 0–1. */
        threshold?: number | undefined;
        /** Project, which is the namespace of the baselines. Default: owner/repo, else the host of the URL. */
        project?: string | undefined;
        /** Branch of the run. Default: `scm.branch`, else the project's default branch. Runs of pull requests have no default. */
        branch?: string | undefined;
        /** Branch to compare with. Default: `scm.baseBranch`, else the project's default branch. */
        baselineBranch?: string | undefined;
        /** Commit that is deployed at the URL. The repository's configuration at this commit applies if the body has no viewports, threshold, baselineBranch or options. Its routes apply if the body also has no routes. The team's code-host app must have access to the repository. A configuration with errors is answered with 422. With the header `Prefer: handling=lenient`, the run starts without it, with warnings. */
        scm?: Scm2 | undefined;
        /** The run covers only some pages of the project. Pages without a screenshot are not reported as removed. */
        partial?: boolean | undefined;
        options?: {
          /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
          colorThreshold?: number | undefined;
          /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
          ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
          /** CSS selectors of elements to cover with a solid color. */
          masks?: string[] | undefined;
          /** CSS selectors of elements to hide. They keep their space in the layout. */
          hide?: string[] | undefined;
          /** CSS selector of an element that must be visible before the screenshot. */
          waitForSelector?: string | undefined;
          /** Extra headers for the page's requests to the origin of the URL. */
          headers?: Record<string, string> | undefined;
          /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
          network?: (Network | Network3 | Network4 | Network2)[] | undefined;
          /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
          clock?: string | undefined;
          /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
          random?: "seeded" | "real" | undefined;
          /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
          steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | undefined;
          /** Session whose cookies and storage the page gets. */
          session?: string | undefined;
          /** Element that the screenshot shows in place of the page. */
          element?: string | Element | undefined;
          /** Space around the element that the screenshot shows, px. Default: 0. */
          padding?: number | undefined;
          /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
          fullPage?: boolean | undefined;
          /** Height at which the screenshot is cut, px. Default: 20,000. */
          maxHeight?: number | undefined;
          /** Named sets of browser options. Each page is captured in every environment, in addition to the default one. */
          environments?: Record<string, Entry> | undefined;
          /** Whether pages are captured without an environment, too. Default: true. */
          defaultEnvironment?: boolean | undefined;
          /** Named logins. Each is performed once, for all pages that name it. */
          sessions?: Record<string, Entry2> | undefined;
          /** Hosts that pages of an archive may reach besides the archive, such as `fonts.example.com` or `*.example.com`. Default: none. Runs without an archive ignore it. */
          allowHosts?: string[] | undefined;
          perRoute?: Record<string, Entry3> | undefined;
        } | undefined;
        /** Id of a tunnel that the team has opened with `GET /v1/tunnels`. Pages reach the host and port of the URL only through it. Requires `project` or `scm`. `vrs run --render remote` sends it. */
        tunnel?: string | undefined;
        /** What is meant to change. The answers tell intended changes from unintended ones. It decides nothing: every change needs review. */
        intent?: Intent2 | undefined;
        /** Starts another run even if this deployment and commit have one. */
        rerun?: true | undefined;
      };
      /** A request that repeats it returns the first one's result. */
      idempotencyKey?: string | undefined;
    };
    answer: Answer2;
  };

  /** List the team's runs, newest first. */
  "GET /v1/runs": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        status?: "queued" | "rendering" | "comparing" | "completed" | "failed" | "canceled" | undefined;
        conclusion?: "passed" | "changed" | "new" | "approved" | "rejected" | undefined;
        project?: string | undefined;
        branch?: string | undefined;
        /** `1` lists the runs that wait for decisions. Omits runs that a newer run of the same branch or pull request replaces. */
        needsReview?: "1" | undefined;
        /** `0` omits the runs of monitors, which are included by default. */
        monitors?: "0" | "1" | undefined;
      } | undefined;
    };
    answer: {
      data: Answer[];
      nextCursor: string | null;
    };
  };

  /** Get a run. */
  "GET /v1/runs/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer;
  };

  /** Cancel a run that has not ended. */
  "POST /v1/runs/{id}/cancel": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer;
  };

  /** Capture an ended run again, as a new run: all its pages, or only those that failed. */
  "POST /v1/runs/{id}/rerun": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Only the pages that failed. Default: all pages. */
        only?: "failed" | undefined;
      };
      /** A request that repeats it returns the first one's result. */
      idempotencyKey?: string | undefined;
    };
    answer: Answer2;
  };

  /** Revoke the links to a run's report and images. Returns new links. */
  "POST /v1/runs/{id}/links/revoke": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer;
  };

  /** List the screenshots of a run with their metadata. */
  "GET /v1/screenshots/{runId}": {
    input: {
      params: {
        runId: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        status?: "pending" | "unchanged" | "changed" | "new" | "removed" | "failed" | undefined;
        /** `id` (default): by id. `need`: screenshots that need review first, identical changes together, with a summary. */
        order?: "id" | "need" | undefined;
      } | undefined;
    };
    answer: {
      data: ({
        id: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        status: "pending" | "unchanged" | "changed" | "new" | "removed" | "failed";
        /** Image width in px. */
        width: number | null;
        /** Image height in px. */
        height: number | null;
        /** Share of changed pixels, 0–1. */
        diffRatio: number | null;
        diffPixels: number | null;
        /** Pixels whose colors differ by less than the default color threshold. 0 if other pixels changed, or with another color threshold. */
        faintPixels: number;
        /** Whether it is a minor change: `diffPixels` or `faintPixels` is above 0, but the difference is within the threshold. */
        minor: boolean;
        /** Changed regions outside of ignore regions, in px. */
        regions: ({
          x: number;
          y: number;
          width: number;
          height: number;
        })[];
        /** Ignore regions of the page, and the number of changed pixels inside them. */
        ignored: {
          pixels: number;
          regions: ({
            x: number;
            y: number;
            width: number;
            height: number;
            /** Changed pixels inside the region. */
            pixels: number;
            /** Selector of its element. Absent for a rectangle. */
            selector?: string | undefined;
            /** Id of its ignore rule. Absent if a configuration sets it. */
            rule?: string | undefined;
          })[];
        };
        /** Set if an ignore rule raised the page's threshold. */
        raised: {
          /** Id of the ignore rule. */
          rule: string;
          /** The threshold without it. */
          from: number;
          to: number;
        } | null;
        /** Flake score at the end of the run: share of the page's recent captures that were noise, 0–1. */
        flakeScore: number;
        /** Identical changes on different pages have the same fingerprint. */
        fingerprint: string | null;
        /** Why it differs from the baseline. Null if that is unknown. */
        explanation: Explanation | null;
        /** Whether it differs as the run was meant to change. Null if nothing differs. Only in runs with an `intent`. */
        intended?: boolean | null | undefined;
        /** Set if a monitor of the team saw the same change in production before the run. The screenshot still needs review. */
        production: {
          /** Start of the monitor's check that saw the change first. */
          since: string;
          /** Start of the latest check before the run. It saw the change too. */
          seenAt: string;
          monitorId: string;
          /** The look with the change, in `GET /v1/monitors/:id/looks`. */
          lookId: string;
          /** Link to the monitor's moment in the dashboard. */
          link: string;
        } | null;
        /** The proof of its cause. Null if none was started. See `POST /v1/screenshots/{id}/prove`. */
        proof: Proof | null;
        /** The run in which the baseline was approved, and why this baseline was chosen. */
        baseline: {
          runId: string;
          reason: string;
          /** Width of the baseline image in px. */
          width: number | null;
          /** Height of the baseline image in px. */
          height: number | null;
        } | null;
        /** Links that open without an API key. */
        images: {
          current: string | null;
          baseline: string | null;
          diff: string | null;
          /** One picture, 720 px wide: the changed part in the baseline, the screenshot, and the diff. */
          change?: string | null | undefined;
          /** The page when its step or its login failed, with passwords and secrets covered. Null for other failures. */
          failure?: string | null | undefined;
        };
        /** False if no two consecutive screenshots were identical. */
        stable: boolean | null;
        /** Elements that kept changing, if not stable. */
        moving: string[];
        /** Screenshots taken until the page was stable. */
        attempts: number;
        browser: string | null;
        /** Notes for reviewers. */
        notes: string[];
        /** Steps that ran before the screenshot, in order. */
        steps?: ({
          /** Number, action and element of the step, such as `Step 3 (click role=button[name="Menu"])`. */
          name: string;
          /** How long it took, in ms. */
          ms: number;
          outcome: "done" | "failed";
        })[] | undefined;
        /** What went wrong in the page until the screenshot. Null if nothing, or if that is unknown. */
        diagnostics: {
          /** Requests that failed, or got a status of 400 or above. */
          failedRequests: ({
            url: string;
            /** Such as `GET`. */
            method: string;
            /** What the page requested, such as `script`. */
            type: string;
            /** HTTP status. Null without a response. */
            status: number | null;
            /** Why there is no response. Null with a response. */
            error: string | null;
            /** How often it happened. */
            times: number;
            /** Whether the baseline's screenshot doesn't have it. Absent if that is unknown. */
            isNew?: boolean | undefined;
          })[];
          /** Errors and warnings in the console. */
          consoleMessages: ({
            level: "error" | "warning";
            text: string;
            /** URL of the script. */
            url: string | null;
            /** Line of the script, from 1. */
            line: number | null;
            /** How often it happened. */
            times: number;
            /** Whether the baseline's screenshot doesn't have it. Absent if that is unknown. */
            isNew?: boolean | undefined;
          })[];
          /** Errors that no script caught. */
          pageErrors: ({
            message: string;
            /** First line of the stack. */
            source: string | null;
            /** How often it happened. */
            times: number;
            /** Whether the baseline's screenshot doesn't have it. Absent if that is unknown. */
            isNew?: boolean | undefined;
          })[];
          /** Each list has at most 20 different entries. */
          dropped: {
            /** Number of further ones. */
            failedRequests: number;
            /** Number of further ones. */
            consoleMessages: number;
            /** Number of further ones. */
            pageErrors: number;
          };
        } | null;
        /** Null if there is no review, or all reviews were dismissed. */
        review: {
          /** `pending`: more approvals are required. */
          state: "pending" | "approved" | "rejected";
          /** Number of approvals. An API key counts as the user who created it. */
          approvals: number;
          /** Approvals that the team required at the latest review. */
          required: number;
        } | null;
        /** All reviews, oldest first. */
        reviews: ({
          verdict: "approved" | "rejected" | "dismissed";
          by: {
            kind: "key" | "user" | "service";
            id: string;
            /** Name at the time of the review. */
            name: string;
          };
          /** Reviewer that the review counts for: the user who created the API key, else the actor. */
          countsAs: string;
          reason: string | null;
          /** True if rejected as noise, that is, as a false alarm. */
          noise?: boolean | undefined;
          /** ISO 8601, UTC. */
          at: string;
          /** Whether the review counts. Dismissals and newer reviews by the same reviewer end it. */
          stands: boolean;
        })[];
        /** Set if approved because the same change was approved before in this pull request or branch. */
        carried: {
          /** The run in which the change was approved. */
          runId: string;
          /** Names of the reviewers who approved it. */
          by: string[];
          /** Time of that approval. */
          at: string;
        } | null;
        /** Why the capture failed, and what to do. */
        error: string | null;
        /** Story that the page is. */
        story?: {
          /** Id of the story, such as `forms-button--primary`. */
          id: string;
          /** Title of the component, such as `Forms/Button`. */
          title: string;
          /** Name of the story, such as `Primary`. */
          name: string;
          /** Args as JSON, which may be cut. */
          args: Record<string, string>;
          /** Link to the story in the Storybook. For an archive, a signed link to the service, which opens as images do. Null for a local application. */
          url: string | null;
        } | undefined;
        /** Metadata of an uploaded screenshot. */
        upload?: {
          /** Path of the test file. */
          testFile?: string | undefined;
          /** Line in the test file. */
          line?: number | undefined;
          /** Titles of the test, outermost first. */
          titlePath?: string[] | undefined;
          /** Number of earlier attempts of the test. The screenshot of the last attempt counts. */
          retry?: number | undefined;
          /** Tags of the test. */
          tags?: unknown | undefined;
          /** URL of the page that the screenshot shows. */
          url?: string | undefined;
          /** What reviewers should know about how the screenshot was made. */
          note?: string | undefined;
          /** Earlier names of the screenshot. It is compared with the baseline of the first that has one. */
          previousNames?: unknown | undefined;
          /** Files of the test. Uploaded ones that the service doesn't have are left out. */
          attachments?: ({
            name: string;
            /** Link to the file. That of an uploaded file is signed, and expires. */
            url: string;
            /** `zip` or `text` for an uploaded file, `link` for a file elsewhere. */
            kind: "zip" | "text" | "link";
            /** Size of an uploaded file. Null for a link. */
            bytes: number | null;
          })[] | undefined;
        } | undefined;
      })[];
      nextCursor: string | null;
      /** Only with the order `need`. */
      summary?: {
        /** Numbers of screenshots by state: the review's decision, else `minor` for a minor change, else the status. */
        standings: {
          changed?: number | undefined;
          new?: number | undefined;
          removed?: number | undefined;
          failed?: number | undefined;
          rejected?: number | undefined;
          pending?: number | undefined;
          approved?: number | undefined;
          carried?: number | undefined;
          minor?: number | undefined;
          unchanged?: number | undefined;
        };
        /** Numbers of minor changes by state. */
        minor: {
          minor?: number | undefined;
          approved?: number | undefined;
          carried?: number | undefined;
          rejected?: number | undefined;
        };
        /** Screenshots that could not be captured, including rejected ones. */
        failed: number;
        /** Viewport widths in px. */
        viewports: number[];
        /** Names of the environments. Null for the default one. */
        environments: (string | null)[];
      } | undefined;
    };
  };

  /** Prove which file causes a screenshot's change: capture the page with files of its baseline. It continues after the response, and counts as a run with one screenshot. */
  "POST /v1/screenshots/{id}/prove": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Proof;
  };

  /** Get the team's usage and limits of this month. */
  "GET /v1/usage": {
    input: object;
    answer: {
      plan: "free" | "pro" | "business";
      /** Calendar month in UTC. `end` is the start of the next month. */
      period: {
        /** ISO 8601, UTC. */
        start: string;
        /** ISO 8601, UTC. */
        end: string;
      };
      /** Runs accepted in the period. */
      runs: {
        used: number;
        /** Null for unlimited. */
        limit: number | null;
      };
      /** Screenshots of the runs accepted in the period. */
      screenshots: {
        used: number;
        /** Null for unlimited. */
        limit: number | null;
      };
      monitors: {
        used: number;
        /** Null for unlimited. */
        limit: number | null;
      };
      /** Members and pending invitations. */
      members: {
        used: number;
        /** Null for unlimited. */
        limit: number | null;
      };
      /** Days until ended runs are deleted. */
      retentionDays: number;
    };
  };

  /** Get the team's usage of the last twelve months, and a forecast for this one. */
  "GET /v1/usage/history": {
    input: object;
    answer: {
      /** The last twelve months, newest first. The first one is the current month. */
      data: ({
        /** Calendar month in UTC. */
        period: {
          /** ISO 8601, UTC. */
          start: string;
          /** ISO 8601, UTC. */
          end: string;
        };
        runs: number;
        screenshots: number;
      })[];
      /** Expects the rest of the month to be like the month so far. */
      forecast: {
        /** Null in the first tenth of the month. */
        runs: {
          /** Expected usage at the end of the month. */
          used: number;
          /** When the limit is expected to be reached, else null. */
          limitReachedAt: string | null;
        } | null;
        /** Null in the first tenth of the month. */
        screenshots: {
          /** Expected usage at the end of the month. */
          used: number;
          /** When the limit is expected to be reached, else null. */
          limitReachedAt: string | null;
        } | null;
      };
    };
  };

  /** List the team's API keys. */
  "GET /v1/keys": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: ({
        id: string;
        name: string;
        role: "viewer" | "reviewer" | "admin";
        scope: "team" | "upload" | "scim";
        /** Project of the scope `upload`, else null. */
        project: string | null;
        /** Repository whose GitHub Actions workflows get keys with these rights. */
        repository: string | null;
        /** Last four characters of the API key. */
        tail: string;
        /** ISO 8601, UTC. */
        createdAt: string;
        /** Last use, to the minute. */
        lastUsedAt: string | null;
        /** When requests with the key begin to fail. Null for a key that never expires. */
        expiresAt: string | null;
      })[];
      nextCursor: string | null;
    };
  };

  /** Create an API key. Only this response shows it. */
  "POST /v1/keys": {
    input: {
      body: {
        name: string;
        role?: "viewer" | "reviewer" | "admin" | undefined;
        /** `team`: everything that the role allows. `upload`: only to upload builds and archives to `project`, and to get their results. `scim`: only to provision users and groups by SCIM 2.0. */
        scope?: "team" | "upload" | "scim" | undefined;
        /** Project of the scope `upload`. Its named builds belong to it. */
        project?: string | undefined;
        /** Days until the key expires. Default: it never expires. */
        expiresInDays?: number | undefined;
        /** Repository, as owner/repo, whose GitHub Actions workflows get keys with these rights from `POST /v1/upload-keys`. Requires the scope `upload`. */
        repository?: string | undefined;
      };
    };
    answer: {
      id: string;
      name: string;
      role: "viewer" | "reviewer" | "admin";
      scope: "team" | "upload" | "scim";
      /** Project of the scope `upload`, else null. */
      project: string | null;
      /** Repository whose GitHub Actions workflows get keys with these rights. */
      repository: string | null;
      /** Last four characters of the API key. */
      tail: string;
      /** ISO 8601, UTC. */
      createdAt: string;
      /** Last use, to the minute. */
      lastUsedAt: string | null;
      /** When requests with the key begin to fail. Null for a key that never expires. */
      expiresAt: string | null;
      /** The API key. It is shown only once. */
      key: string;
    };
  };

  /** Revoke an API key. Takes effect immediately. */
  "DELETE /v1/keys/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Exchange the OIDC token of a GitHub Actions job for a key with the scope upload, for 10 minutes. */
  "POST /v1/upload-keys": {
    input: {
      body: {
        /** OIDC token of the CI job, with the public URL of the service as its audience. */
        token: string;
        /** Project to upload to. Default: the repository of the token. */
        project?: string | undefined;
        /** Id of the team. Default: the service's default team. */
        team?: string | undefined;
      };
    };
    answer: {
      /** API key with the scope `upload`. */
      key: string;
      project: string;
      /** ISO 8601, UTC. */
      expiresAt: string;
    };
  };

  /** Create a build of uploaded screenshots, or join the one with the same nonce. */
  "POST /v1/builds": {
    input: {
      body: {
        /** Project, which is the namespace of the baselines. Default: owner/repo. */
        project?: string | undefined;
        /** Name of the build, if a commit has several. Builds of each name have their own baselines. */
        name?: string | undefined;
        /** Branch of the build. Default: `scm.branch`, else the project's default branch. */
        branch?: string | undefined;
        /** Branch to compare with. Default: `scm.baseBranch`, else the project's default branch. */
        baselineBranch?: string | undefined;
        /** Commit that was tested. */
        scm?: Scm2 | undefined;
        /** URL of the build or the tested site, for display. */
        url?: string | undefined;
        /** Share of changed pixels above which a screenshot needs review, 0–1. */
        threshold?: number | undefined;
        /** What is meant to change. The answers tell intended changes from unintended ones. */
        intent?: Intent2 | undefined;
        /** The build has only some screenshots of the project. Those it doesn't have are not reported as removed. One shard that sets it is enough. */
        subset?: boolean | undefined;
        /** Set if several CI jobs upload one build. The first request creates it, the others join it. */
        parallel?: {
          /** Equal for all shards of a build, such as the id of the CI workflow. */
          nonce: string;
          /** Number of shards. The build is complete once all of them are finalized. */
          total?: number | undefined;
        } | undefined;
        /** Name of the shard that sends the screenshots, such as 3. Needed with `parallel`. */
        shard?: string | undefined;
        /** Screenshots with the SHA-256 of their image files. The same name, environment and viewport again replaces the earlier one. */
        screenshots?: Screenshots[] | undefined;
      };
      /** A request that repeats it returns the first one's result. */
      idempotencyKey?: string | undefined;
    };
    answer: Answer3;
  };

  /** Get a build with up to 500 images that it still needs. `GET /v1/runs/:id` has its result. */
  "GET /v1/builds/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer3;
  };

  /** List more screenshots of a build. Can be repeated. */
  "POST /v1/builds/{id}/shards": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Name of the shard that sends the screenshots, such as 3. Needed with `parallel`. */
        shard?: string | undefined;
        /** Screenshots with the SHA-256 of their image files. The same name, environment and viewport again replaces the earlier one. */
        screenshots: Screenshots[];
      };
    };
    answer: Answer3;
  };

  /** Finalize a shard or a build. Once a build is complete, its screenshots are compared. */
  "POST /v1/builds/{id}/finalize": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Shard that has uploaded everything. The build is complete once `parallel.total` shards have. Without it, the build is complete now. */
        shard?: string | undefined;
      };
    };
    answer: Answer3;
  };

  /** Get an archive of a project. It is then kept for at least a day. */
  "GET /v1/archives/{id}": {
    input: {
      params: {
        id: string;
      };
      query: {
        /** Project whose runs may use the archive. */
        project: string;
      };
    };
    answer: {
      /** SHA-256 of the index of its files. Equal files have the same id. */
      id: string;
      project: string;
      /** Number of files. */
      files: number;
      /** Size of all files together, bytes. */
      bytes: number;
      /** ISO 8601, UTC. */
      createdAt: string;
    };
  };

  /** List the comments on a run and its screenshots, oldest first. */
  "GET /v1/runs/{id}/comments": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Answer4[];
      nextCursor: string | null;
    };
  };

  /** Comment on a run, a screenshot or a region, or reply to a comment. */
  "POST /v1/runs/{id}/comments": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Plain text. */
        text: string;
        /** Id of a screenshot of the run. Default: the comment is on the run. */
        screenshot?: string | undefined;
        /** Part of the screenshot in px. */
        region?: {
          x: number;
          y: number;
          width: number;
          height: number;
        } | undefined;
        /** Id of a comment of the run. The reply has its screenshot and region. */
        replyTo?: string | undefined;
      };
    };
    answer: Answer4;
  };

  /** Edit a comment, or resolve or reopen its thread. */
  "PATCH /v1/comments/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Only its author can change it. */
        text?: string | undefined;
        /** Resolves or reopens the thread of this comment. */
        resolved?: boolean | undefined;
      };
    };
    answer: Answer4;
  };

  /** Delete a comment. The first comment of a thread is deleted with its replies. */
  "DELETE /v1/comments/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** List what waits for you over all projects of the team, newest first. */
  "GET /v1/inbox": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        /** `mine`: runs that you are assigned to and haven't decided, and open threads that mention you. `mentions`: only those threads. `all`: every run of the team that needs review. */
        filter?: "mine" | "all" | "mentions" | undefined;
        project?: string | undefined;
      } | undefined;
    };
    answer: {
      data: ({
        run: Answer;
        /** Screenshots that need review. */
        open: number;
        /** Whether you are assigned and haven't decided all screenshots. */
        isAssigned: boolean;
        reviewers: Reviewers[];
        /** Screenshots that need review, largest changes first. At most 3. */
        screenshots: ({
          id: string;
          /** Path of the page, id of a story, or name of an uploaded screenshot. */
          route: string;
          /** State that a screenshot step captured. Null for the page's own screenshot. */
          state: string | null;
          /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
          environment: string | null;
          /** Viewport width in px. */
          viewport: number;
          status: "pending" | "unchanged" | "changed" | "new" | "removed" | "failed";
          diffRatio: number | null;
          /** Width of the image in px. */
          width: number | null;
          /** Height of the image in px. */
          height: number | null;
          /** The new screenshot. The baseline of a removed page. */
          image: string | null;
          /** Changed regions, at most 5. */
          regions: ({
            x: number;
            y: number;
            width: number;
            height: number;
          })[];
        })[];
        /** Open comments that mention you, oldest first. At most 5. */
        mentions: ({
          commentId: string;
          screenshotId: string | null;
          by: string;
          text: string;
          /** ISO 8601, UTC. */
          at: string;
        })[];
        /** Ids of earlier runs that it replaces, and that also needed review. At most 20. */
        superseded: string[];
        commit: {
          /** First line of the commit's message, if known. */
          message: string | null;
          author: string | null;
          /** Pages of the code host. Null without the code-host app. */
          links: {
            branch: string | null;
            pullRequest: string | null;
            commit: string | null;
          };
        };
      })[];
      nextCursor: string | null;
      /** Numbers of runs by filter. Counted up to 100. */
      counts: {
        mine: number;
        all: number;
        mentions: number;
      };
    };
  };

  /** List the reviewers who are assigned to a run. */
  "GET /v1/runs/{id}/reviewers": {
    input: {
      params: {
        id: string;
      };
    };
    answer: {
      reviewers: Reviewers[];
    };
  };

  /** Replace the reviewers who are assigned to a run. New ones are notified. */
  "PUT /v1/runs/{id}/reviewers": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Logins of members who can review. They replace the run's reviewers. */
        reviewers: string[];
      };
    };
    answer: {
      reviewers: Reviewers[];
    };
  };

  /** Get the rules that assign reviewers to a project's runs. */
  "GET /v1/projects/{project}/reviewers": {
    input: {
      params: {
        project: string;
      };
    };
    answer: Answer13;
  };

  /** Replace the rules that assign reviewers to a project's runs. The project doesn't need to exist yet. */
  "PUT /v1/projects/{project}/reviewers": {
    input: {
      params: {
        project: string;
      };
      body: {
        /** All rules that match a page that needs review apply. They replace the project's rules. */
        rules: ({
          /** Routes of changed pages. `*` stands for any text, such as in `/checkout*`. */
          routes: string[];
          /** Logins of members who can review. */
          reviewers: string[];
        })[];
      };
    };
    answer: Answer13;
  };

  /** Compare the screenshots of any two runs, branches, environments, or moments of a monitor. Repeat the request while `status` is `comparing`. */
  "GET /v1/compare": {
    input: {
      query: {
        /** What to compare with: run:RUN_ID, branch:PROJECT:BRANCH, monitor:MONITOR_ID, monitor:MONITOR_ID@TIME, monitor:MONITOR_ID@CHECK_ID or look:LOOK_ID. */
        base: string;
        /** What to compare, in the same forms. */
        head: string;
        /** Only screenshots of this environment on the base side. Pages then match in any environment. `default` is the one without settings. */
        baseEnvironment?: string | undefined;
        /** The same for the head side. */
        headEnvironment?: string | undefined;
        /** Only this page. */
        route?: string | undefined;
        /** Only this viewport width in px. */
        viewport?: number | undefined;
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      };
    };
    answer: {
      /** `comparing`: some pages are still being compared. Send the same request again after a second. */
      status: "comparing" | "completed";
      base: Base;
      head: Base;
      /** Numbers of pages that both sides have. */
      progress: {
        total: number;
        compared: number;
      };
      counts: {
        /** Within the threshold, including minor changes. */
        unchanged: number;
        minor: number;
        changed: number;
        added: number;
        removed: number;
        failed: number;
        comparing: number;
      };
      /** Why pages changed, most frequent first, where that is known. */
      causes: Causes[];
      /** Changed pages by cause, largest group first. */
      groups: ({
        /** The first cause in words. Null if it is unknown. */
        cause: string | null;
        /** Ids of pages with the same change or the same causes. */
        pages: string[];
      })[];
      /** Pages of both sides, by route. */
      data: ({
        /** Identifies the page in this comparison. */
        id: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** `added`: only the head side has the page. `removed`: only the base side has it. `failed`: `error` says why. */
        status: "comparing" | "unchanged" | "changed" | "added" | "removed" | "failed";
        /** Whether pixels differ, but within the threshold. */
        minor: boolean;
        /** Share of changed pixels above which the page counts as changed, 0–1. */
        threshold: number;
        /** Share of changed pixels, 0–1. */
        diffRatio: number | null;
        diffPixels: number | null;
        /** Pixels whose colors differ by less than the default color threshold. 0 if other pixels changed, or with another color threshold. */
        faintPixels: number;
        /** Changed regions outside of ignore regions, in px. */
        regions: ({
          x: number;
          y: number;
          width: number;
          height: number;
        })[];
        /** Identical changes on different pages have the same fingerprint. */
        fingerprint: string | null;
        /** Why the images differ. Null if that is unknown. */
        explanation: Explanation | null;
        /** Null if the base side doesn't have the page. */
        base: Base2 | null;
        /** Null if the head side doesn't have the page. */
        head: Base2 | null;
        /** Links that open without an API key. `current` is the head side, `baseline` the base side. */
        images: {
          current: string | null;
          baseline: string | null;
          diff: string | null;
        };
        /** Why the page could not be compared, and what to do. */
        error: string | null;
      })[];
      nextCursor: string | null;
    };
  };

  /** Approve all or some screenshots of a run as baselines. */
  "POST /v1/baselines/{runId}/approve": {
    input: {
      params: {
        runId: string;
      };
      body?: {
        /** Screenshot ids, which may include minor changes. Default: all screenshots that need review. */
        screenshots?: string[] | undefined;
        /** Also approves minor changes, if `screenshots` is not set. */
        includeMinor?: boolean | undefined;
        /** Note of the approval, shown as its reason. */
        note?: string | undefined;
      };
    };
    answer: {
      runId: string;
      /** Screenshots of this request that are now approved. */
      approved: number;
      /** Screenshots that need more approvals. */
      pending: number;
      /** Screenshots that other reviewers rejected. */
      rejected: number;
      conclusion: "passed" | "changed" | "new" | "approved" | "rejected";
    };
  };

  /** Reject all or some screenshots of a run. Ends their approval. */
  "POST /v1/baselines/{runId}/reject": {
    input: {
      params: {
        runId: string;
      };
      body: {
        /** Screenshot ids, which may include minor changes. Default: all screenshots that need review or failed. */
        screenshots?: string[] | undefined;
        /** Required unless `noise` is true. */
        reason?: string | undefined;
        /** Marks the change as a false alarm. It counts toward the page's flake score. */
        noise?: boolean | undefined;
      };
    };
    answer: {
      runId: string;
      rejected: number;
      conclusion: "passed" | "changed" | "new" | "approved" | "rejected";
    };
  };

  /** Dismiss the reviews of all or some screenshots of a run. */
  "POST /v1/baselines/{runId}/dismiss": {
    input: {
      params: {
        runId: string;
      };
      body: {
        /** Screenshot ids. Default: all screenshots of the run. */
        screenshots?: string[] | undefined;
        reason: string;
        /** Dismisses only the caller's own reviews. Only admins can dismiss the reviews of others. */
        own?: boolean | undefined;
      };
    };
    answer: {
      runId: string;
      /** Screenshots with a dismissed review. */
      dismissed: number;
      conclusion: "passed" | "changed" | "new" | "approved" | "rejected";
    };
  };

  /** List the team's projects, newest first. A project is a namespace of baselines. */
  "GET /v1/projects": {
    input: {
      query?: {
        /** Part of the name. */
        find?: string | undefined;
        /** `0` omits the projects of monitors, which are included by default. */
        monitors?: "0" | "1" | undefined;
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Data2[];
      nextCursor: string | null;
    };
  };

  /** Get the trend of a project's runs, and its slowest and flakiest pages. */
  "GET /v1/overview": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
        /** Number of days, with today. */
        days?: number | undefined;
      };
    };
    answer: {
      project: string;
      totals: {
        /** Completed and failed runs. */
        runs: number;
        /** Runs that found changed, new or removed pages, whatever reviewers decided. */
        changed: number;
        /** Runs that failed. */
        failed: number;
        screenshots: number;
        /** Changed, new and removed screenshots. */
        changedScreenshots: number;
        /** Median time from submission to conclusion, ms. Null without a run. */
        medianMs: number | null;
        /** Captured screenshots, with those of null reruns. */
        captures: number;
        /** Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise. */
        noisyCaptures: number;
      };
      /** Every day, oldest first. */
      days: ({
        /** Date in UTC, such as 2026-11-24. */
        day: string;
        /** Completed and failed runs. */
        runs: number;
        /** Runs that found changed, new or removed pages, whatever reviewers decided. */
        changed: number;
        /** Runs that failed. */
        failed: number;
        screenshots: number;
        /** Changed, new and removed screenshots. */
        changedScreenshots: number;
        /** Median time from submission to conclusion, ms. Null without a run. */
        medianMs: number | null;
        /** Captured screenshots, with those of null reruns. */
        captures: number;
        /** Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise. */
        noisyCaptures: number;
      })[];
      /** Pages that take longest to capture, in the last 10 runs. At most 10. */
      slowest: ({
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** Mean time to capture it, ms. */
        ms: number;
        captures: number;
      })[];
      /** Pages with the highest flake scores. At most 10. */
      flakiest: ({
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** Flake score, 0–1. See `GET /v1/noise`. */
        score: number;
      })[];
    };
  };

  /** Update a project's settings. */
  "PATCH /v1/projects/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Branch that provides the baselines of all other branches. It gets the baselines of the branch before for pages without one. Runs of a connected repository set it to the repository's default branch. */
        defaultBranch?: string | undefined;
        /** Repeats a run of the default branch once a day to count false alarms. Null reruns count toward the plan's limits. */
        nullReruns?: boolean | undefined;
        /** Shows threads of reviews on pull requests: of private repositories, always, or never. */
        mirrorThreads?: "private" | "always" | "never" | undefined;
        /** Approvals that a screenshot needs. Null: the team's number. */
        requiredApprovals?: number | null | undefined;
        /** Whether submitters can approve their own runs. Null: the team's setting. */
        allowSelfApproval?: boolean | null | undefined;
        /** Days until ended runs are deleted, at most the plan's. Null: the plan's days. */
        retentionDays?: number | null | undefined;
        /** Days until links to reports and images of runs expire. Null: the team's days. */
        linkDays?: number | null | undefined;
      };
    };
    answer: Data2;
  };

  /** List a project's current baselines by page. Default: those of the default branch. */
  "GET /v1/baselines": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
        /** Only baselines of this branch. */
        branch?: string | undefined;
        /** Only baselines of this pull request. */
        pr?: number | undefined;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route?: string | undefined;
        /** Name of the state. */
        state?: string | undefined;
        /** Name of the environment. `default` is the one without settings. */
        environment?: string | undefined;
        /** Viewport width in px. */
        viewport?: number | undefined;
        /** Part of the route. */
        find?: string | undefined;
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      };
    };
    answer: {
      data: Data3[];
      nextCursor: string | null;
    };
  };

  /** List all baselines of a page, latest first. Default: those of all branches. */
  "GET /v1/baselines/history": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** Name of the state. Default: the page's own screenshot. */
        state?: string | undefined;
        /** Name of the environment. Default: the default one. */
        environment?: string | undefined;
        /** Viewport width in px. */
        viewport: number;
        /** Only baselines of this branch. */
        branch?: string | undefined;
        /** Only baselines of this pull request. */
        pr?: number | undefined;
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      };
    };
    answer: {
      data: ({
        id: string;
        project: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** Null for a pull request. */
        branch: string | null;
        /** Pull request number. Null for a branch. */
        pr: number | null;
        /** Commit SHA. Null if the run had none or was deleted. */
        commit: string | null;
        /** Whether this is the current baseline of its branch or pull request. */
        inForce: boolean;
        /** True if the removal of the page was approved. There is no image then. */
        removed: boolean;
        /** Image width in px. */
        width: number | null;
        /** Image height in px. */
        height: number | null;
        browser: string | null;
        /** Link that opens without an API key. */
        image: string | null;
        runId: string;
        screenshotId: string;
        /** False if the run was deleted at the end of the plan's retention period. */
        runKept: boolean;
        /** Names at the time of the approval. */
        approvedBy: string[];
        /** ISO 8601, UTC. */
        approvedAt: string;
        /** The run in which the same change was approved before. */
        carriedFrom: string | null;
        /** Who restored this baseline, and when. */
        restored: {
          by: string;
          /** ISO 8601, UTC. */
          at: string;
        } | null;
        /** Difference from the previous baseline. Null if there was none or the run was deleted. */
        change: {
          /** Share of changed pixels, 0–1. */
          diffRatio: number | null;
          /** Changed regions, in px. */
          regions: ({
            x: number;
            y: number;
            width: number;
            height: number;
          })[];
          /** Width of the previous baseline in px. */
          width: number | null;
          /** Height of the previous baseline in px. */
          height: number | null;
          images: {
            current: string | null;
            baseline: string | null;
            diff: string | null;
          };
        } | null;
      })[];
      nextCursor: string | null;
    };
  };

  /** Restore an earlier baseline of its branch or pull request. */
  "POST /v1/baselines/{id}/restore": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Data3;
  };

  /** List a page's screenshots across runs, newest first, with status and capture times. */
  "GET /v1/screenshots": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** Name of the state. Default: the page's own screenshot. */
        state?: string | undefined;
        /** Name of the environment. Default: the default one. */
        environment?: string | undefined;
        /** Viewport width in px. */
        viewport: number;
        /** Only baselines of this branch. */
        branch?: string | undefined;
        /** Only baselines of this pull request. */
        pr?: number | undefined;
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      };
    };
    answer: {
      data: ({
        id: string;
        runId: string;
        /** Null for a pull request. */
        branch: string | null;
        /** Pull request number. Null for a branch. */
        pr: number | null;
        /** Commit SHA. Null if the run had none or was deleted. */
        commit: string | null;
        /** Submission time of the run. */
        at: string;
        status: "pending" | "unchanged" | "changed" | "new" | "removed" | "failed";
        /** Whether it was a minor change: pixels changed, but within the threshold. */
        minor: boolean;
        review: "pending" | "approved" | "rejected" | null;
        /** Whether it was approved because the same change was approved before. */
        carried: boolean;
        /** Share of changed pixels, 0–1. */
        diffRatio: number | null;
        /** Image width in px. */
        width: number | null;
        /** Image height in px. */
        height: number | null;
        image: string | null;
        stable: boolean | null;
        /** Screenshots taken until the page was stable. */
        attempts: number;
        browser: string | null;
        /** Duration of each capture step in ms. */
        timings: Record<string, number> | null;
      })[];
      nextCursor: string | null;
    };
  };

  /** Get a project's flakiest pages and suggested ignore regions. */
  "GET /v1/noise": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
      };
    };
    answer: {
      project: string;
      projectId: string;
      /** At most 50 pages, flakiest first. */
      pages: ({
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** Flake score: share of the page's recent captures that were noise, 0–1. */
        score: number;
        /** Captures in the last 30 days. */
        captures: number;
        /** Captures that were noise. */
        noisy: number;
        /** Latest observation of noise. */
        lastAt: string;
        /** The last 30 days, oldest first. */
        history: ({
          /** Date in UTC, such as 2026-11-24. */
          day: string;
          captures: number;
          /** Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise. */
          noisy: number;
          /** Flake score at the end of the day, 0–1. */
          score: number;
        })[];
      })[];
      /** At most 100 suggested ignore regions, most observations first. */
      suggestions: ({
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        x: number;
        y: number;
        width: number;
        height: number;
        /** Screenshots in which it was noise. */
        observations: number;
        /** Sources of the observations: unstable captures, retried captures, null reruns, rejections as noise. */
        kinds: ("unstable" | "retried" | "nullRerun" | "rejectedAsNoise")[];
        /** ISO 8601, UTC. */
        lastAt: string;
        /** The latest such screenshot. Null if its run was deleted. */
        screenshot: {
          id: string;
          runId: string;
          /** Absolute URL. */
          image: string;
          width: number;
          height: number;
        } | null;
      })[];
      /** Null reruns of the last 30 days. */
      nullReruns: {
        enabled: boolean;
        /** Compared screenshots. */
        compared: number;
        /** Compared screenshots that differ. */
        falseAlarms: number;
        /** Share of false alarms among compared screenshots, 0–1. Null if nothing was compared. */
        rate: number | null;
        /** Null reruns, latest first. */
        history: ({
          runId: string;
          /** The run that was repeated. */
          ofRunId: string;
          /** Scheduled time. */
          at: string;
          /** Compared screenshots. Null until the null rerun ends. */
          compared: number | null;
          /** Compared screenshots that differ. */
          falseAlarms: number | null;
          /** Why the null rerun was skipped, else null. */
          skipped: "plan_limit_exceeded" | "expired" | "deleted" | null;
          /** Whether the run is stored. */
          kept: boolean;
        })[];
      };
    };
  };

  /** Dismiss a suggested ignore region until three more observations of noise. */
  "POST /v1/noise/dismiss": {
    input: {
      body: {
        /** Project name, as in the run. */
        project: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** Null (default) for the page's own screenshot. */
        state?: string | null | undefined;
        /** Null (default) for the default environment. */
        environment?: string | null | undefined;
        /** Viewport width in px. */
        viewport: number;
        /** Distance from the left edge of the screenshot in px. */
        x: number;
        /** Distance from the top of the screenshot in px. */
        y: number;
        /** px. */
        width: number;
        /** px. */
        height: number;
      };
    };
    answer: null;
  };

  /** List a project's ignore rules, which are ignore regions and raised thresholds, newest first. */
  "GET /v1/ignore-regions": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        /** `active` (default), or `ended` for rules that expired or were ended. */
        state?: "active" | "ended" | undefined;
      };
    };
    answer: {
      data: Data4[];
      nextCursor: string | null;
    };
  };

  /** Add an ignore rule: a region in which changed pixels don't count, or a raised threshold. It applies from the next run on, and at once to the undecided screenshots of one run. */
  "POST /v1/ignore-regions": {
    input: {
      body: {
        /** Project name, as in the run. */
        project: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** Null (default) for the page's own screenshot. */
        state?: string | null | undefined;
        /** Null (default) for the default environment. */
        environment?: string | null | undefined;
        /** Viewport width in px. */
        viewport: number;
        /** Distance from the left edge of the screenshot in px. */
        x?: number | undefined;
        /** Distance from the top of the screenshot in px. */
        y?: number | undefined;
        /** px. */
        width?: number | undefined;
        /** px. */
        height?: number | undefined;
        /** Raises the threshold of the page to this share of changed pixels, 0–1, instead of ignoring a region. */
        threshold?: number | undefined;
        /** `page` (default): the page at this width. `widths`: the page at all widths. `project`: all pages of the project. */
        appliesTo?: "page" | "widths" | "project" | undefined;
        /** Name of the rule, or the reason for it. */
        reason?: string | undefined;
        /** When the rule ends. Default: never. */
        expiresAt?: string | undefined;
        /** A run whose undecided screenshots are compared again at once. Others follow from the next run on. */
        runId?: string | undefined;
      };
    };
    answer: {
      id: string;
      project: string;
      /** Path of the page, id of a story, or name of an uploaded screenshot. */
      route: string;
      /** State that a screenshot step captured. Null for the page's own screenshot. */
      state: string | null;
      /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
      environment: string | null;
      /** Viewport width in px. */
      viewport: number;
      x: number;
      y: number;
      /** px. 0 for a raised threshold, which ignores no region. */
      width: number;
      height: number;
      /** The raised threshold, 0–1. Null for a region. */
      threshold: number | null;
      /** `page` (default): the page at this width. `widths`: the page at all widths. `project`: all pages of the project. */
      appliesTo: "page" | "widths" | "project";
      reason: string | null;
      /** Name of the user or API key at that time. */
      acceptedBy: string;
      /** ISO 8601, UTC. */
      acceptedAt: string;
      /** Who changed it last. Null if it was never changed. */
      changedBy: string | null;
      changedAt: string | null;
      /** When the rule ends or ended. Null: never. */
      expiresAt: string | null;
      isActive: boolean;
      /** What changed in the run of `runId`. Null without one, or if it couldn't be compared again. */
      recompared: {
        runId: string;
        /** Screenshots that were compared again. */
        screenshots: number;
        /** Screenshots that are unchanged now. */
        unchanged: number;
        /** The run's conclusion now. */
        conclusion: "passed" | "changed" | "new" | "approved" | "rejected";
      } | null;
    };
  };

  /** Preview what an ignore rule would have hidden in the project's last ten completed runs. */
  "POST /v1/ignore-regions/preview": {
    input: {
      body: {
        /** Project name, as in the run. */
        project: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** Null (default) for the page's own screenshot. */
        state?: string | null | undefined;
        /** Null (default) for the default environment. */
        environment?: string | null | undefined;
        /** Viewport width in px. */
        viewport: number;
        /** Distance from the left edge of the screenshot in px. */
        x?: number | undefined;
        /** Distance from the top of the screenshot in px. */
        y?: number | undefined;
        /** px. */
        width?: number | undefined;
        /** px. */
        height?: number | undefined;
        /** Raises the threshold of the page to this share of changed pixels, 0–1, instead of ignoring a region. */
        threshold?: number | undefined;
        /** `page` (default): the page at this width. `widths`: the page at all widths. `project`: all pages of the project. */
        appliesTo?: "page" | "widths" | "project" | undefined;
      };
    };
    answer: {
      /** Completed runs that the preview covers: the last ten of the project. */
      runs: number;
      /** Changed screenshots of these runs to which the rule applies. */
      compared: number;
      /** False if the runs have more of them than a preview looks at. */
      isComplete: boolean;
      /** Screenshots that would have been unchanged. */
      hidden: number;
      /** Screenshots that would have been changed with fewer pixels. */
      reduced: number;
      /** Changed regions that would have been hidden. */
      regions: number;
      /** Changed pixels that would have been hidden. */
      pixels: number;
      /** Hidden screenshots whose change a reviewer approved. The rule would have hidden wanted changes. */
      approved: number;
      /** At most 20 of these screenshots, latest first. */
      data: ({
        /** The screenshot's id. */
        id: string;
        runId: string;
        /** When the run was submitted. */
        at: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** Absolute URL. */
        image: string;
        /** px. */
        imageWidth: number;
        /** px. */
        imageHeight: number;
        /** Its status with the rule. */
        outcome: "unchanged" | "changed";
        /** Changed pixels that the rule hides. */
        pixels: number;
        /** Changed regions that the rule hides. */
        regions: ({
          x: number;
          y: number;
          width: number;
          height: number;
        })[];
        /** The decision on it. */
        review: "approved" | "rejected" | "noise" | null;
      })[];
    };
  };

  /** Export a project's active ignore rules as a part of `service.config.ts`. */
  "GET /v1/ignore-regions/configuration": {
    input: {
      query: {
        /** Project name, as in the run. */
        project: string;
      };
    };
    answer: {
      /** Part of `service.config.ts` with the active rules. */
      text: string;
      /** Rules in it. */
      rules: number;
      /** Rules that a configuration can't express, each with the reason. */
      left: ({
        id: string;
        reason: string;
      })[];
    };
  };

  /** Change an ignore rule, or end it. */
  "PATCH /v1/ignore-regions/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** `page` (default): the page at this width. `widths`: the page at all widths. `project`: all pages of the project. */
        appliesTo?: "page" | "widths" | "project" | undefined;
        /** Raises the threshold of the page to this share of changed pixels, 0–1, instead of ignoring a region. */
        threshold?: number | undefined;
        reason?: string | null | undefined;
        /** When the rule ends. A time in the past ends it now. Null: never. */
        expiresAt?: string | null | undefined;
      };
    };
    answer: Data4;
  };

  /** Remove an ignore rule. From the next run, changed pixels inside its region count. */
  "DELETE /v1/ignore-regions/{id}": {
    input: {
      params: {
        id: string;
      };
      query?: {
        /** A run whose undecided screenshots are compared again at once. */
        runId?: string | undefined;
      } | undefined;
    };
    answer: null;
  };

  /** Get a project's stored configuration. Runs use it where neither their body nor their repository sets a field. All monitors use the sessions of the project `monitors`. */
  "GET /v1/projects/{project}/configuration": {
    input: {
      params: {
        project: string;
      };
    };
    answer: Answer14;
  };

  /** Replace a project's stored configuration. The project doesn't need to exist yet. */
  "PUT /v1/projects/{project}/configuration": {
    input: {
      params: {
        project: string;
      };
      body: {
        /** Version that was read, 0 if there was none. Another version now is answered with 409. */
        version: number;
        configuration: Configuration2;
      };
    };
    answer: Answer14;
  };

  /** Capture one page now to try a configuration. Get the result as a run and its screenshots. It has no baseline and no review, and is deleted after a day. */
  "POST /v1/projects/{project}/trials": {
    input: {
      params: {
        project: string;
      };
      body: {
        /** URL of the site. The route is appended to it. */
        url: string;
        /** Path of the page. */
        route?: string | undefined;
        /** Null (default) for the default environment. */
        environment?: string | null | undefined;
        /** Viewport width in px. Default: the first one of the page. */
        viewport?: number | undefined;
        /** Configuration to try. Default: the stored one of the project. */
        configuration?: Configuration2 | undefined;
      };
    };
    answer: {
      id: string;
      status: "queued" | "rendering" | "comparing" | "completed" | "failed" | "canceled";
      links: {
        /** Absolute URL. */
        self: string;
        /** Link to the report. Opens without signing in until it expires, unless the team requires a sign-in. */
        report: string;
      };
    };
  };

  /** List a project's secrets without their values. The project `monitors` has those of all monitors. */
  "GET /v1/projects/{project}/secrets": {
    input: {
      params: {
        project: string;
      };
    };
    answer: {
      /** Secrets by name. */
      data: ({
        name: string;
        /** Name of the user or API key at that time. */
        changedBy: string;
        /** ISO 8601, UTC. */
        changedAt: string;
      })[];
    };
  };

  /** Set a secret of a project. Steps and sessions refer to it by its name. */
  "PUT /v1/projects/{project}/secrets/{name}": {
    input: {
      params: {
        project: string;
        name: string;
      };
      body: {
        /** The secret. No response contains it. */
        value: string;
      };
    };
    answer: {
      name: string;
      /** Name of the user or API key at that time. */
      changedBy: string;
      /** ISO 8601, UTC. */
      changedAt: string;
    };
  };

  /** Delete a secret of a project. Pages that need it fail from then on. */
  "DELETE /v1/projects/{project}/secrets/{name}": {
    input: {
      params: {
        project: string;
        name: string;
      };
    };
    answer: null;
  };

  /** Get a team's rules of sign-in, and its identity provider. */
  "GET /v1/teams/{id}/sign-in": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer5;
  };

  /** Set the roles of an identity provider's users and groups, and whether members must use it. */
  "PUT /v1/teams/{id}/sign-in": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Role of users of the provider without a matching group. Null: they don't join by themselves. */
        defaultRole: "viewer" | "reviewer" | "admin" | null;
        /** Roles of groups. The highest role of a user's groups counts. */
        groupRoles: ({
          /** Name or id of the group, exactly as the provider sends it. */
          group: string;
          role: "viewer" | "reviewer" | "admin";
        })[];
        /** Whether members can only sign in with the provider. */
        enforced: boolean;
      };
    };
    answer: Answer5;
  };

  /** Set a team's own OpenID Connect provider. Its configuration is read first. */
  "PUT /v1/teams/{id}/provider": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Name on the sign-in button. */
        name: string;
        /** Issuer of the provider. Its configuration is at `/.well-known/openid-configuration`. */
        issuer: string;
        clientId: string;
        /** Requested scopes, separated by spaces. */
        scopes?: string | undefined;
        /** Claim with the groups, or the path to it, such as `realm_access.roles`. */
        groupsClaim?: string | undefined;
        /** Client secret. Required for a new provider and for another issuer or client. Omit it to keep it. */
        clientSecret?: string | undefined;
      };
    };
    answer: Answer5;
  };

  /** Delete a team's own OpenID Connect provider, and end the sessions from it. */
  "DELETE /v1/teams/{id}/provider": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Get what you are notified of by email. */
  "GET /v1/account/notices": {
    input: object;
    answer: Answer15;
  };

  /** Change what you are notified of by email. */
  "PATCH /v1/account/notices": {
    input: {
      body: {
        /** Runs that need review: those assigned to you, all of your teams, or none. */
        reviews?: "assigned" | "all" | "none" | undefined;
        /** Comments that mention you, and replies in threads that you take part in. */
        mentions?: boolean | undefined;
        /** Runs that you submitted, or whose pull request is yours, when they are approved or rejected. */
        decisions?: boolean | undefined;
        /** Monitors of your teams that are down, and that recovered. */
        monitors?: boolean | undefined;
      };
    };
    answer: Answer15;
  };

  /** List your teams. An API key has one team. */
  "GET /v1/teams": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Answer6[];
      nextCursor: string | null;
    };
  };

  /** Create a team, or with `teamId` change its members. Only admins can change others; every member can leave. */
  "POST /v1/teams": {
    input: {
      body: {
        /** Creates a team with this name. */
        name?: string | undefined;
        /** Changes the members of this team. */
        teamId?: string | undefined;
        /** Users who have signed in before get the role immediately. Others are invited. */
        add?: ({
          /** Login at the code host. */
          login?: string | undefined;
          /** Email address that the user has verified at the code host. */
          email?: string | undefined;
          role: "viewer" | "reviewer" | "admin";
        })[] | undefined;
        /** Logins to remove. Use your own login to leave. */
        remove?: string[] | undefined;
      };
    };
    answer: {
      teamId: string;
      /** Members with their new roles. */
      changed: Changed[];
      invited: Invited[];
      /** Logins. */
      removed: string[];
    } | {
      /** Approvals that a screenshot needs. */
      requiredApprovals: number;
      /** Whether submitters can approve their own runs. */
      allowSelfApproval: boolean;
      /** Days until links expire. Report links: from the run's submission. Image links: from when they are created. */
      linkDays: number;
      /** Whether links open without signing in. If not, only members can open them. */
      publicLinks: boolean;
      id: string;
      name: string;
      /** The caller's role in the team. */
      role: "viewer" | "reviewer" | "admin";
      /** Why the caller's access is limited to reading although the role allows more, else null. */
      readOnlyBecause: string | null;
      /** ISO 8601, UTC. */
      createdAt: string;
      /** When a deleted team is permanently deleted. It can be restored until then. */
      deletesAt: string | null;
      /** The team's first admin API key, if an API key created the team. It is shown only once. */
      key?: string | undefined;
    };
  };

  /** Update a team's name and its settings for reviews and links. */
  "PATCH /v1/teams/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        name?: string | undefined;
        /** Approvals that a screenshot needs. */
        requiredApprovals?: number | undefined;
        /** Whether submitters can approve their own runs. */
        allowSelfApproval?: boolean | undefined;
        /** Days until links expire. Report links: from the run's submission. Image links: from when they are created. */
        linkDays?: number | undefined;
        /** Whether links open without signing in. If not, only members can open them. */
        publicLinks?: boolean | undefined;
      };
    };
    answer: Answer6;
  };

  /** Delete a team. It can be restored for seven days. */
  "DELETE /v1/teams/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer6;
  };

  /** Restore a deleted team. */
  "POST /v1/teams/{id}/restore": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer6;
  };

  /** List the members of a team. */
  "GET /v1/teams/{id}/members": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Changed[];
      nextCursor: string | null;
    };
  };

  /** Leave a team. */
  "DELETE /v1/teams/{id}/members/me": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** End all sessions of a member. */
  "DELETE /v1/teams/{id}/members/{member}/sessions": {
    input: {
      params: {
        id: string;
        member: string;
      };
    };
    answer: null;
  };

  /** List a team's pending invitations. */
  "GET /v1/teams/{id}/invitations": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Invited[];
      nextCursor: string | null;
    };
  };

  /** Revoke an invitation. */
  "DELETE /v1/teams/{id}/invitations/{invitation}": {
    input: {
      params: {
        id: string;
        invitation: string;
      };
    };
    answer: null;
  };

  /** List a team's activity, newest first. */
  "GET /v1/teams/{id}/activity": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        type?: Type | undefined;
        /** Id of an API key or user. */
        actor?: string | undefined;
        /** Only entries at or after this time. A date begins at midnight UTC. */
        from?: string | undefined;
        /** Only entries before this time. */
        to?: string | undefined;
      } | undefined;
    };
    answer: {
      data: ({
        id: string;
        type: Type;
        /** Who did it, with the name at that time. */
        actor: {
          kind: "key" | "user" | "service";
          id: string;
          /** Name of the API key, login of the user, or name of the monitor. */
          name: string;
        };
        /** Id, login or name of the object. */
        target: string | null;
        details: Record<string, string | number>;
        /** ISO 8601, UTC. */
        at: string;
      })[];
      nextCursor: string | null;
    };
  };

  /** Start an export of a team's data, or get the running one. Secrets are left out. */
  "POST /v1/teams/{id}/export": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer16;
  };

  /** Get a team's latest export, with its progress. */
  "GET /v1/teams/{id}/export": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer16;
  };

  /** Get a team's latest import, with its progress. */
  "GET /v1/teams/{id}/import": {
    input: {
      params: {
        id: string;
      };
    };
    answer: {
      id: string;
      status: "receiving" | "running" | "completed" | "failed";
      progress: {
        /** Finished parts. */
        done: number;
        /** Null while it is unknown. */
        total: number | null;
      };
      /** Rows by table, such as `runs.baseline`. */
      counts: Record<string, {
          rows: number;
          /** Rows that an import added. */
          new?: number | undefined;
        }>;
      /** Secrets that the file doesn't have. Set them again after an import. */
      leftOut: ({
        kind: "secret" | "api_key" | "provider" | "channels" | "credentials" | "webhook" | "chat" | "page_password";
        name: string;
      })[];
      error: string | null;
      /** ISO 8601, UTC. */
      createdAt: string;
      endedAt: string | null;
      /** Projects of the file. `importedAs` is null for skipped ones. */
      projects: ({
        name: string;
        importedAs: string | null;
      })[];
      /** While the file is received: where an upload that broke off continues, with `from`. */
      receivedBytes: number | null;
      /** While the file is received: SHA-256 of its `manifest.json`, which identifies the file. */
      receivedManifest: string | null;
      /** What the import did differently, such as paused monitors. */
      notes: string[];
      links: {
        /** Absolute URL. */
        self: string;
      };
    };
  };

  /** Check whether the code-host app has the required permissions and events. For admins of the default team. */
  "GET /v1/admin/code-host": {
    input: object;
    answer: {
      /** `unchecked`: the code host has not responded yet. `refused`: the code host rejects the app's id or private key. */
      state: "not_configured" | "unchecked" | "checked" | "unreachable" | "refused";
      /** Null until the code host responds. */
      app: {
        name: string;
        /** Absolute URL. */
        url: string;
      } | null;
      /** Required permissions and events that the app lacks. */
      missing: {
        permissions: ({
          /** Name in the code host's API. */
          name: string;
          /** Name in the code host's settings. */
          label: string;
          /** Required access. */
          access: "read" | "write";
          purpose: string;
          isOptional: boolean;
        })[];
        events: ({
          /** Name in the code host's API. */
          name: string;
          /** Name in the code host's settings. */
          label: string;
          isOptional: boolean;
        })[];
      };
      /** Why the check failed. */
      error: string | null;
      /** Time of the code host's last response. */
      checkedAt: string | null;
      /** Webhook URL to set at the code host. */
      webhookUrl: string;
    };
  };

  /** Start the creation of the code-host app. Open the returned URL in a browser to continue. */
  "POST /v1/admin/code-host/app": {
    input: {
      body: {
        /** Organization that owns the app. Default: your own account. */
        organization?: string | undefined;
      };
    };
    answer: {
      /** Page with the button that creates the app. */
      url: string;
    };
  };

  /** Exchange the code host's code for the app's settings. Only this response shows them. */
  "POST /v1/admin/code-host/app/settings": {
    input: {
      body: {
        code: string;
        state: string;
      };
    };
    answer: {
      name: string;
      /** URL of the app at the code host. */
      url: string;
      /** URL to install the app on repositories. */
      installUrl: string;
      /** Environment variables to set. They are shown only once. */
      variables: Record<string, string>;
    };
  };

  /** List the team's connected repositories, oldest first. */
  "GET /v1/connections": {
    input: object;
    answer: {
      data: Answer7[];
      nextCursor: string | null;
    };
  };

  /** Connect a repository of GitLab, Gitea, Forgejo or Bitbucket. Only this response shows the webhook's secret. */
  "POST /v1/connections": {
    input: {
      body: {
        /** `gitea` is Forgejo too. `bitbucket` is Bitbucket Cloud. */
        host: "gitlab" | "gitea" | "bitbucket";
        /** Address of the instance. Default for GitLab: `https://gitlab.com`. Leave it out for Bitbucket. */
        url?: string | undefined;
        /** Path of the repository, such as `group/project`. */
        repository: string;
        /** Project of its runs. Default: the path of the repository. */
        project?: string | undefined;
        /** GitLab: project or group access token with the scope `api` and the role Developer or higher. Gitea: access token with the scopes `read:user`, `write:repository` and `write:issue`. Bitbucket: repository, project or workspace access token with the scopes `repository` and `pullrequest`. */
        token: string;
        /** Whether the service replaces the token before it expires. Don't use the token elsewhere then. */
        rotatesToken?: boolean | undefined;
        /** Whether the service opens one merge request with a configuration, if the repository has none. */
        bootstrap?: boolean | undefined;
      };
    };
    answer: Answer17;
  };

  /** Get a connected repository. */
  "GET /v1/connections/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer7;
  };

  /** Change the token or the project of a connected repository. */
  "PATCH /v1/connections/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Project of its runs. Default: the path of the repository. */
        project?: string | undefined;
        /** GitLab: project or group access token with the scope `api` and the role Developer or higher. Gitea: access token with the scopes `read:user`, `write:repository` and `write:issue`. Bitbucket: repository, project or workspace access token with the scopes `repository` and `pullrequest`. */
        token?: string | undefined;
        /** Whether the service replaces the token before it expires. Don't use the token elsewhere then. */
        rotatesToken?: boolean | undefined;
      };
    };
    answer: Answer7;
  };

  /** Disconnect a repository, and delete its webhook. */
  "DELETE /v1/connections/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Replace the secret of a connected repository's webhook. */
  "POST /v1/connections/{id}/rotate-secret": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer17;
  };

  /** Create a monitor. Alert channels require the role `admin`. */
  "POST /v1/monitors": {
    input: {
      body: {
        name: string;
        /** URL of the site. Routes are appended to it. */
        url: string;
        /** Paths of the pages. */
        routes?: string[] | undefined;
        /** Viewports: widths in px, or { width, height }. The default height is 800. */
        viewports?: (number | {
          width: number;
          height: number;
        })[] | undefined;
        /** Minutes between checks. */
        intervalMinutes?: number | undefined;
        /** Share of changed pixels above which the monitor alerts, 0–1. */
        alertThreshold?: number | undefined;
        /** Alert channels. All are optional. */
        alerts?: {
          /** Incoming webhook of Slack or a compatible chat tool. */
          slack?: string | undefined;
          /** Email addresses, not case-sensitive. */
          email?: string[] | undefined;
          /** Routing key of a PagerDuty service (Events API v2). */
          pagerduty?: string | undefined;
          /** Incident service with alerts that are opened and closed by a key. */
          incidents?: Incidents | undefined;
          /** Your own webhook receiver. */
          webhook?: {
            url: string;
            /** Secret that signs the requests. It is never shown again. */
            secret: string;
          } | undefined;
        } | undefined;
        /** Regions whose renderer nodes capture each page, with baselines of their own. Empty to capture from any node. */
        regions?: string[] | undefined;
        /** Number of regions that must see a problem before the monitor alerts. */
        agree?: number | undefined;
        /** HTTP check: fails at a status of 400 or above. Null for none. */
        http?: Http2 | null | undefined;
        /** Whether scheduled checks are paused. */
        paused?: boolean | undefined;
        /** Words to filter monitors by, not case-sensitive. */
        tags?: string[] | undefined;
        /** Capture and comparison options, as in a run. All are optional. */
        options?: {
          /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
          colorThreshold?: number | undefined;
          /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
          ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
          /** CSS selectors of elements to cover with a solid color. */
          masks?: string[] | undefined;
          /** CSS selectors of elements to hide. They keep their space in the layout. */
          hide?: string[] | undefined;
          /** CSS selector of an element that must be visible before the screenshot. */
          waitForSelector?: string | undefined;
          /** Extra headers for the page's requests to the origin of the URL. */
          headers?: Record<string, string> | undefined;
          /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
          network?: (Network | Network3 | Network4 | Network2)[] | undefined;
          /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
          clock?: string | undefined;
          /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
          random?: "seeded" | "real" | undefined;
          /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
          steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | undefined;
          /** Session whose cookies and storage the page gets. */
          session?: string | undefined;
          /** Element that the screenshot shows in place of the page. */
          element?: string | Element | undefined;
          /** Space around the element that the screenshot shows, px. Default: 0. */
          padding?: number | undefined;
          /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
          fullPage?: boolean | undefined;
          /** Height at which the screenshot is cut, px. Default: 20,000. */
          maxHeight?: number | undefined;
          /** Named sets of browser options. Each page is captured in every environment, in addition to the default one. */
          environments?: Record<string, Entry> | undefined;
          /** Whether pages are captured without an environment, too. Default: true. */
          defaultEnvironment?: boolean | undefined;
          /** Named logins. Each is performed once, for all pages that name it. */
          sessions?: Record<string, Entry2> | undefined;
          /** Options for single routes. Each field replaces the general one. */
          perRoute?: Record<string, Entry9> | undefined;
        } | undefined;
      };
    };
    answer: Answer8;
  };

  /** List the team's monitors, newest first. */
  "GET /v1/monitors": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        /** Only monitors with this tag. */
        tag?: string | undefined;
        /** Part of the name or of the URL, not case-sensitive. */
        find?: string | undefined;
        status?: "ok" | "changed" | "down" | undefined;
      } | undefined;
    };
    answer: {
      data: Answer8[];
      nextCursor: string | null;
    };
  };

  /** Get a monitor and the status of its site. */
  "GET /v1/monitors/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer8;
  };

  /** Update the given fields of a monitor. Alert channels require the role `admin`. */
  "PATCH /v1/monitors/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        name?: string | undefined;
        /** URL of the site. Routes are appended to it. */
        url?: string | undefined;
        /** Paths of the pages. */
        routes?: string[] | undefined;
        /** Viewports: widths in px, or { width, height }. The default height is 800. */
        viewports?: (number | {
          width: number;
          height: number;
        })[] | undefined;
        /** Minutes between checks. */
        intervalMinutes?: number | undefined;
        /** Share of changed pixels above which the monitor alerts, 0–1. */
        alertThreshold?: number | undefined;
        /** Regions whose renderer nodes capture each page, with baselines of their own. Empty to capture from any node. */
        regions?: string[] | undefined;
        /** Number of regions that must see a problem before the monitor alerts. */
        agree?: number | undefined;
        /** HTTP check: fails at a status of 400 or above. Null for none. */
        http?: Http2 | null | undefined;
        /** Whether scheduled checks are paused. */
        paused?: boolean | undefined;
        /** Words to filter monitors by, not case-sensitive. */
        tags?: string[] | undefined;
        alerts?: {
          slack?: string | null | undefined;
          email?: string[] | null | undefined;
          pagerduty?: string | null | undefined;
          incidents?: Incidents | null | undefined;
          webhook?: {
            url?: string | undefined;
            /** Secret that signs the requests. It is never shown again. */
            secret?: string | undefined;
          } | null | undefined;
        } | undefined;
        options?: {
          colorThreshold?: number | null | undefined;
          masks?: string[] | null | undefined;
          hide?: string[] | null | undefined;
          waitForSelector?: string | null | undefined;
          headers?: Record<string, string> | null | undefined;
          network?: (Network | Network3 | Network4 | Network2)[] | null | undefined;
          clock?: string | null | undefined;
          random?: "seeded" | "real" | null | undefined;
          steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | null | undefined;
          session?: string | null | undefined;
          element?: string | Element | null | undefined;
          padding?: number | null | undefined;
          fullPage?: boolean | null | undefined;
          maxHeight?: number | null | undefined;
          environments?: Record<string, Entry> | null | undefined;
          defaultEnvironment?: boolean | null | undefined;
          sessions?: Record<string, Entry2> | null | undefined;
          ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | null | undefined;
          perRoute?: Record<string, Entry9> | null | undefined;
        } | undefined;
      };
    };
    answer: Answer8;
  };

  /** Delete a monitor and its history. */
  "DELETE /v1/monitors/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Create a monitor's badge. A badge that exists gets another URL. */
  "POST /v1/monitors/{id}/badge": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer8;
  };

  /** Delete a monitor's badge. */
  "DELETE /v1/monitors/{id}/badge": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Start a check now. Available on every plan. */
  "POST /v1/monitors/{id}/run": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer18;
  };

  /** List a monitor's checks, newest first, with the drift of each page. */
  "GET /v1/monitors/{id}/history": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Answer18[];
      nextCursor: string | null;
    };
  };

  /** List the results of a monitor's HTTP check, newest first, with each region. */
  "GET /v1/monitors/{id}/http-checks": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: ({
        /** ISO 8601, UTC. */
        at: string;
        /** `failing`: enough regions found a problem. `unknown`: too few regions have a node. */
        outcome: "ok" | "failing" | "unknown";
        regions: ({
          /** Null for any renderer node. */
          region: string | null;
          /** `no_node`: no renderer node of this region responded. */
          outcome: "ok" | "failing" | "no_node";
          pages: Pages[];
        })[];
      })[];
      nextCursor: string | null;
    };
  };

  /** Get chart data: how much each page differed from its baseline over time. */
  "GET /v1/monitors/{id}/drift": {
    input: {
      params: {
        id: string;
      };
      query?: {
        /** Days before now. */
        days?: number | undefined;
      } | undefined;
    };
    answer: {
      /** ISO 8601, UTC. */
      from: string;
      /** ISO 8601, UTC. */
      to: string;
      /** Length of an interval. Intervals without checks are omitted. */
      stretchSeconds: number;
      /** The monitor's current alert threshold. */
      threshold: number;
      /** When maintenance windows applied, oldest first. */
      maintenance: ({
        title: string;
        /** ISO 8601, UTC. */
        from: string;
        /** ISO 8601, UTC. */
        until: string;
      })[];
      /** Intervals, oldest first. Only checks of the monitor's current URL. */
      stretches: ({
        /** Start of the latest check in the interval. */
        at: string;
        checks: number;
        /** Checks that found changed pages. */
        changed: number;
        down: number;
        failed: number;
        /** The check with the largest difference, else the latest check. */
        checkId: string;
        /** The run of that check. */
        runId: string;
      })[];
      /** One line for each page, in each state, environment and viewport, largest difference first. */
      pages: ({
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        /** Largest share of changed pixels in each interval, 0–1. Null if nothing was compared. */
        ratios: (number | null)[];
        /** Most pixels whose colors differ by less than the default color threshold, in each interval. 0 if other pixels changed. */
        faintPixels: number[];
      })[];
    };
  };

  /** Get the uptime and the response times of a monitor and of each page. */
  "GET /v1/monitors/{id}/uptime": {
    input: {
      params: {
        id: string;
      };
      query?: {
        /** The period of the points: 1, 7, 30 or 90 days. */
        days?: number | undefined;
      } | undefined;
    };
    answer: {
      days: number;
      /** What a point sums up: hours for 1 and 7 days, else days. */
      unit: "hour" | "day";
      /** ISO 8601, UTC. */
      from: string;
      /** ISO 8601, UTC. */
      to: string;
      /** The monitor as a whole. It is down while any of its pages is down. */
      monitor: {
        day: Month;
        week: Month;
        month: Month;
        quarter: Month;
        /** Hours or days with checks, oldest first. */
        points: Points[];
      };
      pages: ({
        route: string;
        day: Month;
        week: Month;
        month: Month;
        quarter: Month;
        /** Hours or days with checks, oldest first. */
        points: Points[];
      })[];
    };
  };

  /** List how a page of a monitor looked over time: each look, when it came and went, and why. */
  "GET /v1/monitors/{id}/looks": {
    input: {
      params: {
        id: string;
      };
      query: {
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** Name of the state. Default: the page's own screenshot. */
        state?: string | undefined;
        /** Name of the environment. Default: the default one. */
        environment?: string | undefined;
        /** Viewport width in px. */
        viewport: number;
      };
    };
    answer: {
      /** Path of the page, id of a story, or name of an uploaded screenshot. */
      route: string;
      /** State that a screenshot step captured. Null for the page's own screenshot. */
      state: string | null;
      /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
      environment: string | null;
      /** Viewport width in px. */
      viewport: number;
      status: "comparing" | "completed";
      /** Oldest first. Kept for 365 days, at most 50 of a page, also after their checks and runs are deleted. */
      looks: ({
        id: string;
        /** SHA-256 of the image. Equal looks have equal hashes. */
        hash: string;
        /** Start of the check that saw it first. */
        from: string;
        /** Start of the check that saw the next look. Null for the current look. */
        until: string | null;
        /** Start of the latest check that saw it. */
        seenAt: string;
        /** Number of checks in a row that saw it. */
        checks: number;
        /** The check that saw it first. */
        checkId: string;
        /** The run of that check. It may be deleted by now. */
        runId: string;
        /** Image width in px. */
        width: number | null;
        /** Image height in px. */
        height: number | null;
        /** Link that opens without an API key. */
        image: string;
        /** The difference from the look before. Null for the first one. */
        change: {
          /** `comparing`: send the same request again after a second. */
          status: "comparing" | "compared" | "failed";
          /** Share of changed pixels, 0–1. */
          diffRatio: number | null;
          diffPixels: number | null;
          /** Pixels whose colors differ by less than the default color threshold. 0 if other pixels changed, or with another color threshold. */
          faintPixels: number;
          /** Changed regions in px. */
          regions: ({
            x: number;
            y: number;
            width: number;
            height: number;
          })[];
          /** Link to the diff image. */
          diff: string | null;
          /** Why it looks different. Null if that is unknown. */
          explanation: Explanation | null;
          /** URLs of changed files from other hosts that caused the change, if known. */
          thirdParties: string[];
        } | null;
        /** The latest commit before it with the same pixels of the page in another project. Null if none is known. */
        commit: {
          project: string;
          /** Null for a pull request. */
          branch: string | null;
          sha: string;
          /** The run in which the same pixels were approved. */
          runId: string;
        } | null;
      })[];
    };
  };

  /** Cancel a monitor's snooze. Does nothing if there is none. */
  "DELETE /v1/monitors/{id}/snooze": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Snooze a monitor's alerts for a number of hours. */
  "POST /v1/monitors/{id}/snooze": {
    input: {
      params: {
        id: string;
      };
      body: {
        hours: number;
      };
    };
    answer: {
      /** ISO 8601, UTC. */
      snoozedUntil: string;
    };
  };

  /** Send a test alert to every channel of a monitor. The list is empty if it has none. */
  "POST /v1/monitors/{id}/test-alert": {
    input: {
      params: {
        id: string;
      };
    };
    answer: {
      /** Queued test alerts. */
      deliveries: ({
        id: string;
        channel: string;
      })[];
    };
  };

  /** List the consents to render previews on custom domains. For admins of the default team. */
  "GET /v1/admin/consents": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Data5[];
      nextCursor: string | null;
    };
  };

  /** Allow previews on custom domains for a project, or for all projects of a team. */
  "PUT /v1/admin/consents/{key}": {
    input: {
      params: {
        key: string;
      };
    };
    answer: Data5;
  };

  /** Revoke a consent. Applies from the next preview. */
  "DELETE /v1/admin/consents/{key}": {
    input: {
      params: {
        key: string;
      };
    };
    answer: null;
  };

  /** List the team's installations at the deployment platform; those of every team for operators. */
  "GET /v1/installs": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Data6[];
      nextCursor: string | null;
    };
  };

  /** Change the routes or the API key of a project at the deployment platform. */
  "PUT /v1/installs/{configurationId}/projects/{projectId}": {
    input: {
      params: {
        configurationId: string;
        projectId: string;
      };
      body: {
        /** Paths that are captured of each preview; null for SERVICE_ROUTES. */
        routes?: string[] | null | undefined;
        /** Whether service.config.ts gives the routes where none are set; null for SERVICE_ROUTES_FROM_CONFIG. */
        routesFromConfig?: boolean | null | undefined;
        /** API key that the project's runs are submitted with; null for the installation's. Never answered. */
        apiKey?: string | null | undefined;
      };
    };
    answer: Data6;
  };

  /** Choose the team that an installation's runs are for, before or after it is installed. */
  "PUT /v1/admin/installs/{configurationId}": {
    input: {
      params: {
        configurationId: string;
      };
      body: {
        /** An API key of the team that the installation's runs are for; null for the team of SERVICE_API_KEY. */
        apiKey: string | null;
      };
    };
    answer: null;
  };

  /** Make a user an admin of the team that an installation created. */
  "POST /v1/admin/installs/{configurationId}/admins": {
    input: {
      params: {
        configurationId: string;
      };
      body: {
        /** Login at the code host. Users who have not signed in yet are invited. */
        login: string;
      };
    };
    answer: {
      teamId: string;
      /** Members with their new roles. */
      changed: Changed[];
      invited: Invited[];
      /** Logins. */
      removed: string[];
    };
  };

  /** Get the team's plan and subscription. */
  "GET /v1/billing": {
    input: object;
    answer: {
      /** Whether this service takes payments. If not, the operator sets the plan. */
      enabled: boolean;
      /** The team's current plan. */
      plan: "free" | "pro" | "business";
      /** Status of the team's subscription. */
      status: "none" | "trialing" | "active" | "past_due" | "unpaid" | "paused" | "incomplete" | "canceled";
      /** Plan of the subscription. Differs from `plan` when the grace period for a failed payment is over. */
      subscribedPlan: "pro" | "business" | null;
      renewsAt: string | null;
      /** End of a canceled subscription. The plan stays until then. */
      cancelsAt: string | null;
      /** Whether the latest payment failed. Update the payment method in the billing portal. */
      paymentFailed: boolean;
      /** End of the grace period after a failed payment. */
      graceUntil: string | null;
      /** After a downgrade: until when the retention period of the previous plan applies. */
      historyKeptUntil: string | null;
    };
  };

  /** Create a checkout page to buy a plan or confirm a plan change. */
  "POST /v1/billing/checkout": {
    input: {
      body: {
        plan: "pro" | "business";
      };
    };
    answer: {
      /** One-time page of the payment provider. Open it in a browser within a few minutes. */
      url: string;
    };
  };

  /** Create a billing portal page to manage the subscription and payment method. */
  "POST /v1/billing/portal": {
    input: object;
    answer: {
      /** One-time page of the payment provider. Open it in a browser within a few minutes. */
      url: string;
    };
  };

  /** List a monitor's notifications with receivers and results, newest first. */
  "GET /v1/monitors/{id}/deliveries": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Data7[];
      nextCursor: string | null;
    };
  };

  /** Get a monitor's alerts and snoozes, and the latest message to each receiver. */
  "GET /v1/monitors/{id}/alerts": {
    input: {
      params: {
        id: string;
      };
      query?: {
        /** Days before now. */
        days?: number | undefined;
      } | undefined;
    };
    answer: {
      /** Alerts that were sent, oldest first. */
      alerts: ({
        /** ISO 8601, UTC. */
        at: string;
        kind: "changed" | "down" | "recovered";
        /** The check that caused the alert. */
        checkId: string;
      })[];
      /** Snoozes, oldest first. */
      snoozes: ({
        /** ISO 8601, UTC. */
        from: string;
        /** When the snooze ends or was canceled. */
        until: string;
      })[];
      /** The latest stored message to each receiver. */
      receivers: Data7[];
    };
  };

  /** Get the alert channels that are available. */
  "GET /v1/alerts/channels": {
    input: object;
    answer: {
      /** Whether a mail server is configured. The other channels need no configuration. */
      email: boolean;
    };
  };

  /** Get the email addresses that get a project's runs that need review. */
  "GET /v1/projects/{project}/email": {
    input: {
      params: {
        project: string;
      };
    };
    answer: Answer19;
  };

  /** Set a project's email addresses. They get its runs that need review, or the alerts of all monitors for the project `monitors`. The project doesn't need to exist yet. */
  "PUT /v1/projects/{project}/email": {
    input: {
      params: {
        project: string;
      };
      body: {
        /** At most 20 email addresses, not case-sensitive. Empty removes them. */
        addresses: string[];
      };
    };
    answer: Answer19;
  };

  /** Get the chat channel that gets notifications about a project's runs. */
  "GET /v1/projects/{project}/chat": {
    input: {
      params: {
        project: string;
      };
    };
    answer: Data;
  };

  /** Set or remove a project's chat channel. The project doesn't need to exist yet. */
  "PUT /v1/projects/{project}/chat": {
    input: {
      params: {
        project: string;
      };
      body: {
        /** Incoming webhook of Slack or a compatible chat tool. Null removes it. */
        slack: string | null;
      };
    };
    answer: Data;
  };

  /** List the chat channels of a team's projects, each with its last message. */
  "GET /v1/teams/{id}/chat-channels": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Data[];
      nextCursor: string | null;
    };
  };

  /** Send a test message to a project's chat channel. */
  "POST /v1/projects/{project}/chat/test": {
    input: {
      params: {
        project: string;
      };
    };
    answer: Data;
  };

  /** List the chat tools whose buttons can review runs, and the URL to set in each app. */
  "GET /v1/teams/{id}/chat-apps": {
    input: {
      params: {
        id: string;
      };
    };
    answer: {
      data: Data8[];
    };
  };

  /** Set the Slack app or Discord application of a team. */
  "PUT /v1/teams/{id}/chat-apps/{tool}": {
    input: {
      params: {
        id: string;
        tool: string;
      };
      body: {
        /** Slack: the app's signing secret. Discord: the application's public key. */
        secret: string;
      };
    };
    answer: Data8;
  };

  /** Remove the app of a chat tool, and the links of its people. */
  "DELETE /v1/teams/{id}/chat-apps/{tool}": {
    input: {
      params: {
        id: string;
        tool: string;
      };
    };
    answer: null;
  };

  /** Unlink all people of chat tools that can review as you. */
  "DELETE /v1/account/chat-links": {
    input: object;
    answer: null;
  };

  /** List the incidents of all monitors, newest first. */
  "GET /v1/incidents": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        /** `unresolved` stands for open and acknowledged incidents. */
        state?: "unresolved" | "open" | "acknowledged" | "resolved" | undefined;
        /** Id of a monitor. */
        monitor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: ({
        id: string;
        monitor: {
          id: string;
          /** Its name when the incident opened. */
          name: string;
        };
        /** `unchecked`: monitors had no results. `certificate`: it expires soon. `failing`: the HTTP check fails. */
        kind: "changed" | "down" | "unchecked" | "certificate" | "failing";
        /** What happened, in one line. */
        title: string;
        state: "open" | "acknowledged" | "resolved";
        /** The check that opened the incident. Empty unless its kind is `changed` or `down`. */
        checkId: string;
        /** The run that shows the problem. */
        runId: string | null;
        /** When the check that found the problem started. */
        openedAt: string;
        acknowledgedAt: string | null;
        acknowledgedBy: string | null;
        assignee: {
          id: string;
          login: string;
        } | null;
        resolvedAt: string | null;
        /** `recovered`: a check found no problem. `approved`: a reviewer approved the changes. `replaced`: the problem changed, and another incident opened. `manual`: a member resolved it. */
        resolution: "recovered" | "approved" | "replaced" | "manual" | null;
        /** The member who resolved it. Null unless `manual`. */
        resolvedBy: string | null;
      })[];
      nextCursor: string | null;
    };
  };

  /** Get an incident and its timeline. */
  "GET /v1/incidents/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer9;
  };

  /** Acknowledge an incident, so that its problem isn't alerted again. */
  "POST /v1/incidents/{id}/acknowledge": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer9;
  };

  /** Assign an incident to a member, who gets an email. Null removes the assignee. */
  "PUT /v1/incidents/{id}/assignee": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** A reviewer or admin of the team. Null removes the assignee. */
        login: string | null;
      };
    };
    answer: Answer9;
  };

  /** Add a comment to an incident's timeline. */
  "POST /v1/incidents/{id}/comments": {
    input: {
      params: {
        id: string;
      };
      body: {
        text: string;
      };
    };
    answer: Answer9;
  };

  /** Resolve an incident by hand, and report the recovery to the receivers of its alert. */
  "POST /v1/incidents/{id}/resolve": {
    input: {
      params: {
        id: string;
      };
      body?: {
        note?: string | undefined;
      };
    };
    answer: Answer9;
  };

  /** List the maintenance windows that have not ended, newest first. */
  "GET /v1/maintenance": {
    input: {
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
      } | undefined;
    };
    answer: {
      data: Data9[];
      nextCursor: string | null;
    };
  };

  /** Plan a maintenance window, once or every week. */
  "POST /v1/maintenance": {
    input: {
      body: {
        title: string;
        /** Ids of monitors. Null for all monitors of the team, also later ones. */
        monitors?: string[] | null | undefined;
        /** `pause`: no scheduled checks start. `quiet`: checks go on, without alerts. */
        mode?: "pause" | "quiet" | undefined;
        schedule: {
          kind: "once";
          /** ISO 8601, UTC. */
          from: string;
          /** ISO 8601, UTC. */
          until: string;
        } | {
          kind: "weekly";
          /** 0 is Sunday. */
          weekdays: number[];
          /** Local time at which it starts. A time that a clock change skips is an hour later. */
          start: string;
          durationMinutes: number;
          /** IANA time zone. */
          timeZone: string;
        };
      };
      /** A request that repeats it returns the first one's result. */
      idempotencyKey?: string | undefined;
    };
    answer: Data9;
  };

  /** End a maintenance window, now if it is active. */
  "DELETE /v1/maintenance/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** List the team's status pages. */
  "GET /v1/status-pages": {
    input: object;
    answer: {
      data: Answer10[];
      nextCursor: string | null;
    };
  };

  /** Create a status page, which is public unless it has a password. */
  "POST /v1/status-pages": {
    input: {
      body: Body;
    };
    answer: Answer10;
  };

  /** Replace a status page. */
  "PUT /v1/status-pages/{id}": {
    input: {
      params: {
        id: string;
      };
      body: Body;
    };
    answer: Answer10;
  };

  /** Delete a status page. */
  "DELETE /v1/status-pages/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** List the team's webhooks, oldest first. */
  "GET /v1/webhooks": {
    input: object;
    answer: {
      data: Answer11[];
    };
  };

  /** Create a webhook. Only this response shows its secret. */
  "POST /v1/webhooks": {
    input: {
      body: {
        /** Receives the events as POST requests. */
        url: string;
        /** Events to send. */
        events: Events[];
        /** Only events of this project and its named builds. Monitors belong to no project. */
        project?: string | null | undefined;
        description?: string | undefined;
      };
    };
    answer: Answer20;
  };

  /** Get a webhook. */
  "GET /v1/webhooks/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer11;
  };

  /** Change, pause or resume a webhook. */
  "PATCH /v1/webhooks/{id}": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Receives the events as POST requests. */
        url?: string | undefined;
        /** Events to send. */
        events?: Events[] | undefined;
        /** Only events of this project and its named builds. Monitors belong to no project. */
        project?: string | null | undefined;
        description?: string | undefined;
        /** `active` resumes a paused webhook. */
        status?: "active" | "paused" | undefined;
      };
    };
    answer: Answer11;
  };

  /** Delete a webhook with its log. */
  "DELETE /v1/webhooks/{id}": {
    input: {
      params: {
        id: string;
      };
    };
    answer: null;
  };

  /** Replace a webhook's secret. The previous one signs too for some hours. */
  "POST /v1/webhooks/{id}/rotate-secret": {
    input: {
      params: {
        id: string;
      };
      body: {
        /** Hours in which the previous secret signs too. */
        overlapHours?: number | undefined;
      };
    };
    answer: Answer20;
  };

  /** Send a test event to a webhook. Its log shows the result. */
  "POST /v1/webhooks/{id}/test": {
    input: {
      params: {
        id: string;
      };
    };
    answer: Answer12;
  };

  /** List the deliveries of a webhook of the last 30 days, newest first. */
  "GET /v1/webhooks/{id}/deliveries": {
    input: {
      params: {
        id: string;
      };
      query?: {
        limit?: number | undefined;
        /** `nextCursor` of the previous page. */
        cursor?: string | undefined;
        status?: "queued" | "sent" | "failed" | "dropped" | undefined;
      } | undefined;
    };
    answer: {
      data: Answer12[];
      nextCursor: string | null;
    };
  };

  /** Get a delivery with the body of its request. */
  "GET /v1/webhooks/{id}/deliveries/{delivery}": {
    input: {
      params: {
        id: string;
        delivery: string;
      };
    };
    answer: {
      id: string;
      /** Sent as `webhook-id`. Replays have the same. */
      eventId: string;
      event: string;
      /** `failed`: all attempts failed. `dropped`: it was not sent. `answer` gives the reason. */
      status: "queued" | "sent" | "failed" | "dropped";
      attempts: number;
      /** The receiver's last response. */
      answer: string | null;
      isReplay: boolean;
      /** ISO 8601, UTC. */
      createdAt: string;
      /** Null unless `queued`. */
      nextAttemptAt: string | null;
      endedAt: string | null;
      /** The body of the request. */
      body: Record<string, unknown>;
    };
  };

  /** Send the event of a delivery again, with the same `webhook-id`. */
  "POST /v1/webhooks/{id}/deliveries/{delivery}/replay": {
    input: {
      params: {
        id: string;
        delivery: string;
      };
    };
    answer: Answer12;
  };

  /** List the nodes of this service with their load, and the queues. For admins of the default team. */
  "GET /v1/admin/nodes": {
    input: object;
    answer: {
      data: ({
        id: string;
        hostname: string;
        services: string[];
        version: string | null;
        startedAt: string | null;
        /** Region of a renderer node. Null without one. */
        region: string | null;
        /** Time of the last heartbeat. */
        lastSeenAt: string;
        /** CPU usage of the machine. Null until the node reports it. */
        cpuPercent: number | null;
        /** Memory usage of the process. Null if the node does not respond. */
        memoryBytes: number | null;
        /** Null if the node does not run the `renderer` service or does not respond. */
        rendering: {
          /** Routes that the node renders now. */
          busy: number;
          /** Routes that the node can render concurrently. */
          capacity: number;
          /** Screenshots that failed on this node since it started. */
          failures: number;
          /** State of Chromium's sandbox. `refused`: the sandbox can't start, and the node must not render without it. `unknown`: no browser has started yet. */
          sandbox: "unknown" | "on" | "off" | "refused";
        } | null;
        /** How the node's browser renders. Null if the node does not render or has not started a browser yet. */
        fingerprint: {
          /** Digest of all other fields. */
          id: string;
          /** Browser build, such as `chromium 153.0.8010.0`. */
          browser: string;
          /** Digest of the names of the installed fonts. */
          fonts: string;
          /** Number of installed fonts. */
          fontCount: number;
          /** Digest of the command-line flags that may affect rendering. */
          flags: string;
          /** Digest of a screenshot of a reference page. */
          pixels: string;
        } | null;
      })[];
      /** Problems of the whole fleet. Empty if there are none. */
      faults: ({
        code: "mixed_renderers" | "no_renderer";
        /** What is wrong, and what to do. */
        message: string;
        /** Properties that differ between the renderers. Empty for `no_renderer`. */
        differs: ("browser" | "fonts" | "flags" | "pixels")[];
        /** Nodes that render identically, by fingerprint, largest group first. */
        groups: ({
          rendering: string;
          nodes: string[];
        })[];
      })[];
      /** Null if no node that runs the `runs` service responds. */
      queues: ({
        queue: "capture" | "compare" | "result";
        waiting: number;
        underWay: number;
        /** When the oldest queued or running job was queued. */
        oldestAt: string | null;
      })[] | null;
      /** The latest 20 of all teams. Null if no node that runs the `runs` service responds. */
      recentFailures: ({
        /** Time of the last attempt. */
        at: string;
        runId: string;
        screenshotId: string;
        /** Path of the page, id of a story, or name of an uploaded screenshot. */
        route: string;
        /** State that a screenshot step captured. Null for the page's own screenshot. */
        state: string | null;
        /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
        environment: string | null;
        /** Viewport width in px. */
        viewport: number;
        error: string | null;
      })[] | null;
    };
  };
}

type Element = {
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Whether all matches are shown below each other. Default: the first. */
  all?: boolean | undefined;
};

type Steps = {
  action: "click";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Default: left. */
  button?: "left" | "middle" | "right" | undefined;
  /** Number of clicks. Default: 1. */
  count?: number | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps2 = {
  action: "hover";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps3 = {
  action: "focus";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps4 = {
  action: "fill";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Text. A secret's reference is replaced by the project's secret, and totp.NAME by its current one-time code. */
  value: string;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps5 = {
  action: "press";
  /** Key or shortcut of Playwright, such as Enter or Control+K. */
  key: string;
  /** Element that gets the key. Default: the focused element. */
  selector?: string | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps6 = {
  action: "select";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Values or labels of the options. */
  value: string | string[];
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps7 = {
  action: "check";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** State of the checkbox or radio button. Default: true. */
  checked?: boolean | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps8 = {
  action: "drag";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Element that the first one is dropped on. */
  to: string;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps9 = {
  action: "upload";
  /** File input. */
  selector: string;
  files: ({
    /** File name. */
    name: string;
    contentType?: string | undefined;
    /** Content of the file. */
    base64: string;
  })[];
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps10 = {
  action: "scrollTo";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector?: string | undefined;
  /** Distance from the top of the page, px. */
  y?: number | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps11 = {
  action: "waitFor";
  /** Waits until this element is visible. */
  selector?: string | undefined;
  /** Waits until this text is visible. */
  text?: string | undefined;
  /** Waits for the response to a request whose URL matches this glob. */
  request?: string | undefined;
  /** Waits until no request is open. */
  idle?: true | undefined;
  /** Waits until this JavaScript expression of the page is true, such as window.isReady. */
  function?: string | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps12 = {
  action: "goto";
  /** Path such as /settings, or an absolute http or https URL. */
  url: string;
  /** Status that the page must return, such as 404. By default, statuses from 400 fail. */
  status?: number | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps13 = {
  action: "setViewport";
  width: number;
  height?: number | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps14 = {
  action: "screenshot";
  /** Name of the state. Without a name, it is the page's own screenshot. */
  name?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Scm = {
  owner: string;
  repo: string;
  sha: string;
  /** Pull request number. */
  pr?: number | undefined;
  branch?: string | undefined;
  /** Target branch of the pull request. */
  baseBranch?: string | undefined;
  /** Default branch of the repository. It becomes the default branch of a new project. An existing project changes only if the API key is an admin's. */
  defaultBranch?: string | undefined;
  /** Merge base with the baseline branch. Null if it could not be found. */
  baseSha?: string | null | undefined;
  /** Whether the pull request comes from a fork. Its runs get no secrets of the project. */
  fromFork?: boolean | undefined;
  /** Author of the pull request or commit, for display. */
  author?: string | undefined;
  /** First line of the commit's message, for display. */
  message?: string | undefined;
  checkRunId?: number | string | undefined;
};

type Counts = {
  /** Within the threshold, including minor changes. */
  unchanged: number;
  /** Minor changes: unchanged screenshots with changed pixels. Also counted in `unchanged`. */
  minor: number;
  changed: number;
  new: number;
  removed: number;
  failed: number;
};

type Warnings = {
  message: string;
  /** Where in the repository it is; lines and columns count from 1. */
  place: {
    path: string;
    line: number;
    column: number;
    endLine: number;
    endColumn: number;
  } | null;
};

type Causes = {
  /** Equal keys mean the same cause, on other pages too. */
  key: string;
  kind: "failed_request" | "missing_file" | "font" | "browser" | "viewport" | "document" | "style" | "added" | "removed" | "shown" | "hidden" | "reordered" | "text" | "image" | "attribute" | "resized";
  /** The cause in words, with code in backticks. */
  text: string;
  /** Number of changed screenshots with this cause. */
  screenshots: number;
  /** Whether a proof found that its file is the cause. */
  isProven?: boolean | undefined;
};

type Stories = {
  /** Screenshots of all stories. */
  total: number;
  /** Screenshots that were skipped, because nothing behind them has changed. */
  skipped: number;
  /** Screenshots that were captured as an audit, although nothing behind them has changed. */
  audited: number;
  /** How unchanged stories were found: by the `sources` of the run, or only by the files that they load. */
  by: "sources" | "files";
  /** Audited screenshots that changed all the same. Other skipped stories may have changed, too. */
  missed: string[];
};

type Intent = {
  routes: string[];
  selectors: string[];
  words: string[];
  /** Number of changed, new and removed screenshots that match the intent, with minor changes. Null until the run ends. */
  intended: number | null;
  /** Number of those that don't match it, and of failed ones. Null until the run ends. */
  unintended: number | null;
};

type ConfiguredBy = {
  /** Fields that the repository's configuration set, such as `routes`. Options are named one by one. */
  repository: string[];
  /** Fields that the project's stored configuration set, such as `masks`. */
  project: string[];
};

type Answer = {
  id: string;
  status: "queued" | "rendering" | "comparing" | "completed" | "failed" | "canceled";
  /** Null until the run is completed. */
  conclusion: "passed" | "changed" | "new" | "approved" | "rejected" | null;
  /** `null-rerun`: the service repeats a run to count false alarms. `trial`: tries a configuration. Lists include neither, and they can't be reviewed. */
  kind: "run" | "null-rerun" | "trial";
  /** `upload` for a build, whose screenshots were uploaded. */
  source: "capture" | "upload";
  project: string;
  /** URL of the site. Empty for a build without one. */
  url: string;
  /** Branch of the run, by default the project's default branch at submission. Null for a pull request. */
  branch: string | null;
  scm: Scm | null;
  threshold: number;
  /** Name of the user or API key at submission. */
  submittedBy: string | null;
  /** Numbers of screenshots, without removed pages. */
  progress: {
    total: number;
    captured: number;
    compared: number;
  };
  /** Numbers of screenshots by status. */
  counts: Counts;
  /** ISO 8601, UTC. */
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** Why the run failed. */
  error: string | null;
  /** What reviewers should know. For example, the configuration has errors, other renderers captured the baselines, or no renderer is connected. */
  warnings: Warnings[];
  /** Why screenshots changed, most frequent first, where that is known. Empty until the run ends. */
  causes: Causes[];
  /** Which stories were skipped. Only for runs with `storybook.onlyChanged`, after they were listed. */
  stories?: Stories | undefined;
  /** What the run was meant to change. Set if the submission had an `intent`. */
  intent?: Intent | undefined;
  /** Fields that configurations set. The submission or a default set the others. */
  configuredBy?: ConfiguredBy | undefined;
  links: {
    /** Absolute URL. */
    self: string;
    /** Link to the report. Opens without signing in until it expires, unless the team requires a sign-in. */
    report: string;
  };
};

type Answer2 = {
  id: string;
  status: "queued" | "rendering" | "comparing" | "completed" | "failed" | "canceled";
  project: string;
  links: {
    /** Absolute URL. */
    self: string;
    /** Link to the report. Opens without signing in until it expires, unless the team requires a sign-in. */
    report: string;
  };
  /** True if an identical submission already created this run. */
  deduplicated?: true | undefined;
};

type Uploads = {
  hash: string;
  method: "PUT";
  /** URL to send the bytes to. */
  url: string;
  /** Headers to send with the bytes. */
  headers: Record<string, string>;
  /** Whether the request needs the API key. If false, don't send it, because the URL is signed. */
  sendKey: boolean;
};

type Answer3 = {
  /** Id of the build and of its run. */
  id: string;
  /** Status of the run. `queued` while screenshots are uploaded. */
  status: "queued" | "rendering" | "comparing" | "completed" | "failed" | "canceled";
  project: string;
  /** Name of the build. */
  name: string | null;
  /** Whether it accepts screenshots. */
  open: boolean;
  /** Number of listed screenshots. */
  screenshots: number;
  shards: {
    /** Expected number of shards. Null if unknown. */
    total: number | null;
    /** Shards that have sent something. */
    seen: number;
    finalized: number;
  };
  /** Images that the service doesn't have yet: of those in the request, and with GET of the whole build. */
  uploads: Uploads[];
  /** Attachments that the service wants and doesn't have. It wants those of screenshots that look like nothing approved, and of retried tests. The build can be finalized without them. */
  attachments: Uploads[];
  /** Why the build failed. */
  error: string | null;
  links: {
    /** Absolute URL. */
    self: string;
    /** Link to the report. Opens without signing in until it expires, unless the team requires a sign-in. */
    report: string;
  };
};

type Answer4 = {
  id: string;
  runId: string;
  /** Id of the thread's first comment, which may be this one. */
  threadId: string;
  /** Null for a comment on the run. */
  screenshotId: string | null;
  region: {
    x: number;
    y: number;
    width: number;
    height: number;
  } | null;
  text: string;
  by: {
    kind: "key" | "user" | "service";
    id: string;
    /** Name at the time of the comment. */
    name: string;
  };
  /** The user who created the API key, else the author. */
  countsAs: string;
  /** Members of the team that its text mentions as `@login`. */
  mentions: ({
    id: string;
    login: string;
  })[];
  /** ISO 8601, UTC. */
  createdAt: string;
  editedAt: string | null;
  /** URL of a reply that was written on the pull request. Null for all other comments. */
  externalUrl: string | null;
  /** Null for an open thread, and for replies. */
  resolved: {
    /** Name of who resolved the thread. */
    by: string;
    /** ISO 8601, UTC. */
    at: string;
  } | null;
};

type Reviewers = {
  /** Id of the user. */
  id: string;
  /** Login when it was assigned. */
  login: string;
  /** Who assigned the reviewer. Null if a rule did. */
  assignedBy: string | null;
  /** ISO 8601, UTC. */
  assignedAt: string;
};

type IgnoreRegions = {
  /** Distance from the left edge of the page in px. */
  x: number;
  /** Distance from the top of the page in px. */
  y: number;
  /** px. */
  width: number;
  /** px. */
  height: number;
  /** Width at which it is ignored, px. Default: all. */
  viewport?: number | undefined;
  /** Environment in which it is ignored. `default` is the one without settings. Default: all. */
  environment?: string | undefined;
};

type IgnoreRegions2 = {
  /** CSS selector of the elements in which changed pixels don't count. */
  selector: string;
  /** Space around each element that is ignored too, px. Default: 0. */
  padding?: number | undefined;
  /** Width at which it is ignored, px. Default: all. */
  viewport?: number | undefined;
  /** Environment in which it is ignored. `default` is the one without settings. Default: all. */
  environment?: string | undefined;
};

type Network = {
  /** URL or glob. * matches within a path segment, ** across segments. */
  url: string;
  action: "block";
  /** HTTP methods of the requests. Default: all. */
  methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | undefined;
  /** What the page requests, by Playwright's names. Default: all. */
  resourceTypes?: ("document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "ping" | "other")[] | undefined;
};

type Network2 = {
  /** URL or glob. * matches within a path segment, ** across segments. */
  url: string;
  action: "delay";
  /** Time after which the request is sent, ms. */
  delayMs: number;
  /** HTTP methods of the requests. Default: all. */
  methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | undefined;
  /** What the page requests, by Playwright's names. Default: all. */
  resourceTypes?: ("document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "ping" | "other")[] | undefined;
};

type Element2 = {
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Whether all matches are shown below each other. Default: the first. */
  all: boolean;
};

type Steps15 = {
  action: "upload";
  /** File input. */
  selector: string;
  files: ({
    /** File name. */
    name: string;
    contentType: string;
    /** Content of the file. */
    base64: string;
  })[];
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Steps16 = {
  action: "screenshot";
  /** Name of the state. Without a name, it is the page's own screenshot. */
  name?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element2 | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Network3 = {
  /** URL or glob. * matches within a path segment, ** across segments. */
  url: string;
  action: "fulfil";
  status?: number | undefined;
  /** Default: text/plain; charset=utf-8, or by the extension of `file`. */
  contentType?: string | undefined;
  /** Default: an empty text. */
  body?: string | undefined;
  /** File with the body, in place of `body`. Relative to the configuration. Only the command line reads it. */
  file?: string | undefined;
  /** HTTP methods of the requests. Default: all. */
  methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | undefined;
  /** What the page requests, by Playwright's names. Default: all. */
  resourceTypes?: ("document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "ping" | "other")[] | undefined;
};

type Network4 = {
  /** URL or glob. * matches within a path segment, ** across segments. */
  url: string;
  action: "har";
  /** HAR file with the responses. Relative to the configuration. Only the command line reads it. */
  file: string;
  /** What happens to a request that the file doesn't have. `continue` sends it. */
  notFound?: "abort" | "continue" | undefined;
  /** HTTP methods of the requests. Default: all. */
  methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | undefined;
  /** What the page requests, by Playwright's names. Default: all. */
  resourceTypes?: ("document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "ping" | "other")[] | undefined;
};

type Expect = {
  /** Waits until this element is visible. */
  selector?: string | undefined;
  /** Waits until this text is visible. */
  text?: string | undefined;
  /** Waits for the response to a request whose URL matches this glob. */
  request?: string | undefined;
  /** Waits until no request is open. */
  idle?: true | undefined;
  /** Waits until this JavaScript expression of the page is true, such as window.isReady. */
  function?: string | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Cookies = {
  name: string;
  /** Text. A secret's reference is replaced by the project's secret. */
  value: string;
  /** Default: the host of the page. */
  domain?: string | undefined;
  /** Default: /. */
  path?: string | undefined;
};

type BasicAuth = {
  /** Text. A secret's reference is replaced by the project's secret. */
  username: string;
  /** Text. A secret's reference is replaced by the project's secret. */
  password: string;
};

type ClientCertificates = {
  /** Origin that asks for the certificate. Default: the site. */
  origin?: string | undefined;
  /** Certificate in PEM, or a secret's reference. */
  cert?: string | undefined;
  /** Private key in PEM, or a secret's reference. */
  key?: string | undefined;
  /** Passphrase of the key. */
  passphrase?: string | undefined;
  /** File with the certificate, relative to the configuration. Only the command line reads it. */
  certPath?: string | undefined;
  /** File with the key, relative to the configuration. Only the command line reads it. */
  keyPath?: string | undefined;
};

type Network5 = {
  /** URL or glob. * matches within a path segment, ** across segments. */
  url: string;
  action: "fulfil";
  status: number;
  /** Default: text/plain; charset=utf-8, or by the extension of `file`. */
  contentType?: string | undefined;
  /** Default: an empty text. */
  body?: string | undefined;
  /** File with the body, in place of `body`. Relative to the configuration. Only the command line reads it. */
  file?: string | undefined;
  /** HTTP methods of the requests. Default: all. */
  methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | undefined;
  /** What the page requests, by Playwright's names. Default: all. */
  resourceTypes?: ("document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "ping" | "other")[] | undefined;
};

type Network6 = {
  /** URL or glob. * matches within a path segment, ** across segments. */
  url: string;
  action: "har";
  /** HAR file with the responses. Relative to the configuration. Only the command line reads it. */
  file: string;
  /** What happens to a request that the file doesn't have. `continue` sends it. */
  notFound: "abort" | "continue";
  /** HTTP methods of the requests. Default: all. */
  methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[] | undefined;
  /** What the page requests, by Playwright's names. Default: all. */
  resourceTypes?: ("document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "ping" | "other")[] | undefined;
};

type Entry = {
  /** Browser that captures the pages. Default: chromium. */
  browser?: "chromium" | "firefox" | "webkit" | undefined;
  /** Device of Playwright's list, such as iPhone 15. Sets viewport, scale factor, touch, and user agent. The other fields replace its values. */
  device?: string | undefined;
  /** Viewports of this environment. Default: the device's viewport, else the viewports of the route. */
  viewports?: (number | {
    width: number;
    height: number;
  })[] | undefined;
  /** Image pixels per CSS pixel. Default: 1. */
  deviceScaleFactor?: number | undefined;
  /** Whether the viewport meta tag is used and touch gestures scroll. */
  isMobile?: boolean | undefined;
  /** Whether the page gets touch events. */
  hasTouch?: boolean | undefined;
  /** User agent that the browser sends. */
  userAgent?: string | undefined;
  /** Value of prefers-color-scheme. Default: light. */
  colorScheme?: "light" | "dark" | undefined;
  /** Value of forced-colors. Default: none. */
  forcedColors?: "none" | "active" | undefined;
  /** Value of prefers-reduced-motion. Default: reduce. */
  reducedMotion?: "reduce" | "no-preference" | undefined;
  /** Value of prefers-contrast. Default: no-preference. */
  contrast?: "no-preference" | "more" | undefined;
  /** CSS media type. Default: screen. */
  media?: "screen" | "print" | undefined;
  /** Language of the browser, such as de-DE. Default: en-US. */
  locale?: string | undefined;
  /** Time zone of the browser, such as Europe/Berlin. Default: UTC. */
  timezone?: string | undefined;
  /** Location that the page may read. Default: permission denied. */
  geolocation?: {
    latitude: number;
    longitude: number;
    /** Meters. Default: 0. */
    accuracy?: number | undefined;
  } | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Replaces the page's `clock`. */
  clock?: string | undefined;
  /** Whether the network is off once the page has loaded. Steps then see an offline page. */
  offline?: boolean | undefined;
  /** Whether the page's scripts run. Default: true. */
  javaScript?: boolean | undefined;
};

type Entry2 = {
  /** Page on which the steps begin, such as /login. Default: /. */
  url?: string | undefined;
  /** Steps of the login, such as fill and click. They begin on `url`. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | undefined;
  /** What proves that the login worked. It is checked after the steps. */
  expect?: Expect | undefined;
  /** Cookies that are set before the steps. */
  cookies?: Cookies[] | undefined;
  /** File with Playwright's storage state, relative to the configuration. Only the command line reads it. */
  storageState?: string | undefined;
  /** Credentials of HTTP basic authentication for the application's origin. */
  basicAuth?: BasicAuth | undefined;
  /** TLS client certificates of the session's pages and of its login. */
  clientCertificates?: ClientCertificates[] | undefined;
};

type Entry3 = {
  viewports?: (number | {
    width: number;
    height: number;
  })[] | undefined;
  threshold?: number | undefined;
  /** Environments of this route. `default` is the one without settings. Default: all. */
  environments?: string[] | undefined;
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Extra headers for the page's requests to the origin of the URL. */
  headers?: Record<string, string> | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network3 | Network4 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
};

type Provider = {
  /** Name on the sign-in button. */
  name: string;
  /** Issuer of the provider. Its configuration is at `/.well-known/openid-configuration`. */
  issuer: string;
  clientId: string;
  /** Requested scopes, separated by spaces. */
  scopes: string;
  /** Claim with the groups, or the path to it, such as `realm_access.roles`. */
  groupsClaim: string;
  /** Id of the team, or `default` for the installation's provider. */
  id: string;
  /** Whether the team configured it. Otherwise it is the installation's. */
  own: boolean;
  /** Link for members to sign in with this provider. */
  signInUrl: string;
  /** Redirect URI to register at the provider. */
  redirectUrl: string;
  /** Back-channel logout URI to register at the provider. */
  backChannelLogoutUrl: string;
};

type Answer5 = {
  /** Role of users of the provider without a matching group. Null: they don't join by themselves. */
  defaultRole: "viewer" | "reviewer" | "admin" | null;
  /** Roles of groups. The highest role of a user's groups counts. */
  groupRoles: ({
    /** Name or id of the group, exactly as the provider sends it. */
    group: string;
    role: "viewer" | "reviewer" | "admin";
  })[];
  /** Whether members can only sign in with the provider. */
  enforced: boolean;
  /** The provider that the team's members sign in with. Null without one. */
  provider: Provider | null;
  /** Base URL of SCIM 2.0, for keys with the scope `scim`. */
  scimUrl: string;
  /** Redirect URI to register for a provider of the team's own. */
  ownRedirectUrl: string;
};

type Answer6 = {
  /** Approvals that a screenshot needs. */
  requiredApprovals: number;
  /** Whether submitters can approve their own runs. */
  allowSelfApproval: boolean;
  /** Days until links expire. Report links: from the run's submission. Image links: from when they are created. */
  linkDays: number;
  /** Whether links open without signing in. If not, only members can open them. */
  publicLinks: boolean;
  id: string;
  name: string;
  /** The caller's role in the team. */
  role: "viewer" | "reviewer" | "admin";
  /** Why the caller's access is limited to reading although the role allows more, else null. */
  readOnlyBecause: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** When a deleted team is permanently deleted. It can be restored until then. */
  deletesAt: string | null;
};

type Answer7 = {
  id: string;
  /** `gitea` is Forgejo too. `bitbucket` is Bitbucket Cloud. */
  host: "gitlab" | "gitea" | "bitbucket";
  /** Address of the instance. */
  url: string;
  /** Path of the repository. */
  repository: string;
  /** Project of its runs. */
  project: string;
  /** `refused`: the code host rejects the token. Set a new one. */
  state: "connected" | "refused";
  /** What to do about a refused token. */
  error: string | null;
  /** Null for a token that never expires. */
  tokenExpiresAt: string | null;
  rotatesToken: boolean;
  /** URL that receives the repository's events. */
  webhookUrl: string;
  /** Whether the service created the webhook. If not, create it with this URL and the secret. */
  hasWebhook: boolean;
  /** Time of the latest event. Null before the first. */
  lastEventAt: string | null;
  createdBy: string;
  /** ISO 8601, UTC. */
  createdAt: string;
};

type Entry4 = {
  /** Browser that captures the pages. Default: chromium. */
  browser?: "chromium" | "firefox" | "webkit" | undefined;
  /** Device of Playwright's list, such as iPhone 15. Sets viewport, scale factor, touch, and user agent. The other fields replace its values. */
  device?: string | undefined;
  /** Viewports of this environment. Default: the device's viewport, else the viewports of the route. */
  viewports?: unknown | undefined;
  /** Image pixels per CSS pixel. Default: 1. */
  deviceScaleFactor?: number | undefined;
  /** Whether the viewport meta tag is used and touch gestures scroll. */
  isMobile?: boolean | undefined;
  /** Whether the page gets touch events. */
  hasTouch?: boolean | undefined;
  /** User agent that the browser sends. */
  userAgent?: string | undefined;
  /** Value of prefers-color-scheme. Default: light. */
  colorScheme?: "light" | "dark" | undefined;
  /** Value of forced-colors. Default: none. */
  forcedColors?: "none" | "active" | undefined;
  /** Value of prefers-reduced-motion. Default: reduce. */
  reducedMotion?: "reduce" | "no-preference" | undefined;
  /** Value of prefers-contrast. Default: no-preference. */
  contrast?: "no-preference" | "more" | undefined;
  /** CSS media type. Default: screen. */
  media?: "screen" | "print" | undefined;
  /** Language of the browser, such as de-DE. Default: en-US. */
  locale?: string | undefined;
  /** Time zone of the browser, such as Europe/Berlin. Default: UTC. */
  timezone?: string | undefined;
  /** Location that the page may read. Default: permission denied. */
  geolocation?: {
    latitude: number;
    longitude: number;
    /** Meters. Default: 0. */
    accuracy?: number | undefined;
  } | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Replaces the page's `clock`. */
  clock?: string | undefined;
  /** Whether the network is off once the page has loaded. Steps then see an offline page. */
  offline?: boolean | undefined;
  /** Whether the page's scripts run. Default: true. */
  javaScript?: boolean | undefined;
};

type Month = {
  /** Share of checks in which it responded, 0–1. Null without checks. */
  uptime: number | null;
  /** Checks that say whether it responded. Maintenance doesn't count. */
  checks: number;
  /** Mean time to the first byte of the page's document, in ms. Null if unknown. */
  responseMs: number | null;
  /** The slowest response, in ms. */
  slowestMs: number | null;
};

type Regions = {
  region: string;
  /** `failing`: pages changed or don't respond. `no_node`: no renderer node of this region captured a page. */
  outcome: "ok" | "failing" | "no_node";
  /** Screenshots that changed. */
  changed: number;
  /** Screenshots of pages that don't respond. */
  down: number;
  /** Screenshots that the service could not capture. */
  failed: number;
};

type CurrentCheck = {
  id: string;
  /** The run to open. For a changed check, this is the confirmation run: approve it to update the baseline. Otherwise, it is the first run, with all pages. */
  runId: string;
  kind: "scheduled" | "manual";
  /** Null while the check is running. */
  outcome: "established" | "ok" | "changed" | "down" | "failed" | null;
  /** Why the site counts as down, or why the check failed. */
  error: string | null;
  /** Whether it ran during maintenance. Such a check doesn't alert or count toward the uptime. */
  maintenance: boolean;
  /** Number of attempts. The service confirms changes and failures with another attempt. */
  attempts: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  endedAt: string | null;
  /** Link to the run's report. Opens without signing in until it expires. */
  report: string;
  /** What each region saw. Empty without regions, and while the check is running. */
  regions: Regions[];
  /** Number of regions that had to agree when the check started. */
  agree: number;
  /** Most pixels of a page whose colors differ by less than the default color threshold, on pages without other changes. */
  faintPixels: number;
};

type Steps17 = {
  action: "fill";
  /** Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button. */
  selector: string;
  /** Reference to a secret. Other texts are not shown. */
  value?: string | undefined;
  /** Time that the step may take, ms. Default: 5,000. */
  timeoutMs?: number | undefined;
};

type Cookies2 = {
  name: string;
  /** Reference to a secret. Other values are not shown. */
  value?: string | undefined;
  /** Default: the host of the page. */
  domain?: string | undefined;
  /** Default: /. */
  path?: string | undefined;
};

type BasicAuth2 = {
  /** Text. A secret's reference is replaced by the project's secret. */
  username: string;
  /** Reference to a secret. Other values are not shown. */
  password?: string | undefined;
};

type ClientCertificates2 = {
  /** Origin that asks for the certificate. Default: the site. */
  origin?: string | undefined;
  /** Certificate in PEM, or a secret's reference. */
  cert?: string | undefined;
  /** Reference to a secret. Other values are not shown. */
  key?: string | undefined;
  /** Reference to a secret. Other values are not shown. */
  passphrase?: string | undefined;
  /** File with the certificate, relative to the configuration. Only the command line reads it. */
  certPath?: string | undefined;
  /** File with the key, relative to the configuration. Only the command line reads it. */
  keyPath?: string | undefined;
};

type Entry5 = {
  /** Page on which the steps begin, such as /login. Default: /. */
  url?: string | undefined;
  /** Steps of the login. */
  steps?: (Steps | Steps2 | Steps3 | Steps17 | Steps5 | Steps6 | Steps7 | Steps8 | Steps15 | Steps10 | Steps11 | Steps12 | Steps13 | Steps16)[] | undefined;
  /** What proves that the login worked. It is checked after the steps. */
  expect?: Expect | undefined;
  cookies?: Cookies2[] | undefined;
  /** File with Playwright's storage state, relative to the configuration. Only the command line reads it. */
  storageState?: string | undefined;
  basicAuth?: BasicAuth2 | undefined;
  clientCertificates?: ClientCertificates2[] | undefined;
};

type Entry6 = {
  /** Environments of this route. `default` is the one without settings. Default: all. */
  environments?: string[] | undefined;
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Header names. Their values are not shown. */
  headers?: string[] | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network5 | Network6 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps15 | Steps10 | Steps11 | Steps12 | Steps13 | Steps16)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element2 | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
};

type Options = {
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Header names. Their values are not shown. */
  headers?: string[] | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network5 | Network6 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps15 | Steps10 | Steps11 | Steps12 | Steps13 | Steps16)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element2 | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
  /** Named sets of browser options. Each page is captured in every environment, in addition to the default one. */
  environments?: Record<string, Entry4> | undefined;
  /** Whether pages are captured without an environment, too. Default: true. */
  defaultEnvironment?: boolean | undefined;
  sessions?: Record<string, Entry5> | undefined;
  perRoute?: Record<string, Entry6> | undefined;
};

type Alerts = {
  slack: {
    /** Last four characters of the secret. */
    tail: string;
  } | null;
  email: string[];
  pagerduty: {
    /** Last four characters of the secret. */
    tail: string;
  } | null;
  incidents: {
    /** Last four characters of the secret. */
    tail: string;
    tool: "opsgenie" | "incident-io" | "alertmanager";
    host: string;
  } | null;
  webhook: {
    /** Last four characters of the secret. */
    tail: string;
    host: string;
  } | null;
};

type RecentChecks = {
  id: string;
  /** The run to open, as in `lastCheck`. */
  runId: string;
  outcome: "established" | "ok" | "changed" | "down" | "failed";
  /** ISO 8601, UTC. */
  startedAt: string;
  /** Largest share of changed pixels, 0–1. Null if nothing was compared. */
  ratio: number | null;
};

type Certificate = {
  /** Null if the certificate was never read. */
  expiresAt: string | null;
  daysLeft: number | null;
  issuer: string | null;
  /** Why clients refuse it, or why it could not be read. */
  error: string | null;
  /** ISO 8601, UTC. */
  checkedAt: string;
};

type Http = {
  /** Longest allowed time to the first byte in ms. Null for no limit. */
  maxResponseMs: number | null;
  /** Text that each page must contain. Null for none. */
  requiredText: string | null;
  /** Regions to check from. Empty to check from any renderer node. */
  regions: unknown;
  /** Number of regions that must find a problem before the monitor alerts. */
  agree: number;
};

type Pages = {
  route: string;
  /** HTTP status. Null without a response. */
  status: number | null;
  /** Time to the first byte in ms. Null without a response. */
  ms: number | null;
  /** What is wrong. Null for a page that passes. */
  problem: string | null;
};

type HttpCheck = {
  /** ISO 8601, UTC. */
  at: string;
  /** `failing`: enough regions found a problem. `unknown`: too few regions have a node. */
  outcome: "ok" | "failing" | "unknown";
  regions: ({
    /** Null for any renderer node. */
    region: string | null;
    /** `no_node`: no renderer node of this region responded. */
    outcome: "ok" | "failing" | "no_node";
    pages: Pages[];
  })[];
  /** ISO 8601, UTC. */
  since: string;
};

type Answer8 = {
  id: string;
  name: string;
  url: string;
  routes: string[];
  viewports: unknown;
  intervalMinutes: number;
  alertThreshold: number;
  options: Options;
  /** Regions that capture each page. Empty for any renderer node. */
  regions: string[];
  /** Number of regions that must see a problem before the monitor alerts. */
  agree: number;
  /** Alert channels. Secrets show only their last characters. */
  alerts: Alerts;
  paused: boolean;
  tags: string[];
  /** URL of its badge, which opens without signing in. Null if it has none. */
  badgeUrl: string | null;
  /** Whether the monitor runs on its schedule and sends alerts. */
  scheduled: boolean;
  /** `plan`: the plan has no scheduled checks. `over`: the team has more monitors than the plan allows, so this one can't be checked or changed. */
  hold: "plan" | "over" | null;
  /** Why the monitor is not scheduled, and what to do. */
  notScheduledBecause: string | null;
  status: "never" | "establishing" | "ok" | "changed" | "down";
  nextRunAt: string | null;
  currentCheck: CurrentCheck | null;
  lastCheck: CurrentCheck | null;
  /** The latest 30 completed checks, oldest first. */
  recentChecks: RecentChecks[];
  /** When the set of changed pages last changed. */
  lastChangeAt: string | null;
  /** Share of the stored checks in which the site responded, 0–1. */
  uptime: number | null;
  /** Uptime and response time over 24 hours, 7, 30 and 90 days. */
  availability: {
    day: Month;
    week: Month;
    month: Month;
    quarter: Month;
  };
  /** The maintenance that is going on. */
  maintenance: {
    title: string;
    mode: "pause" | "quiet";
    /** ISO 8601, UTC. */
    until: string;
  } | null;
  /** The site's TLS certificate. Null for an http site, and before it was read. */
  certificate: Certificate | null;
  /** Settings of the HTTP check. Null for none. */
  http: Http | null;
  /** Last result of the HTTP check. Null without one, and before its first result. */
  httpCheck: HttpCheck | null;
  snoozedUntil: string | null;
  alertingSince: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
};

type File = {
  url: string;
  change: "changed" | "added" | "removed" | "failed";
  /** Path in the repository or in the source map, with the line if it is known: `src/button.css:12`. */
  source?: string | undefined;
  /** The commit since which the source has changed. */
  since?: string | undefined;
};

type Causes2 = {
  kind: "failed_request" | "missing_file" | "font" | "browser" | "viewport" | "document" | "style" | "added" | "removed" | "shown" | "hidden" | "reordered" | "text" | "image" | "attribute" | "resized";
  /** Equal keys mean the same cause, on other pages too. */
  key: string;
  /** The cause in words, with code in backticks. */
  text: string;
  /** The elements. Null for causes that affect the whole page. */
  selector: string | null;
  /** Number of elements. */
  elements: number;
  /** The CSS property or the attribute. */
  property: string | null;
  before: string | null;
  after: string | null;
  /** The response that caused it, if it is known. */
  file: File | null;
  /** Selector of the CSS rule, if it is known. */
  rule: string | null;
};

type Accessibility = {
  kind: "name_lost" | "name_changed" | "role_changed" | "contrast";
  /** The change in words. */
  text: string;
  selector: string;
  before: string | null;
  after: string | null;
};

type Explanation = {
  /** Causes that affect the whole page first, then by changed area. At most 10. */
  causes: Causes2[];
  /** What followed from the causes, such as moved elements. At most 10. */
  effects: string[];
  /** Changes for assistive technology. At most 20. */
  accessibility: Accessibility[];
};

type Changed = {
  id: string;
  /** Null if the login is no longer known. */
  login: string | null;
  name: string | null;
  role: "viewer" | "reviewer" | "admin";
  /** What sets the role: groups of the identity provider at each sign-in, or SCIM. Null if only admins do. */
  managedBy: "provider" | "scim" | null;
  /** Why the member's access is limited to reading although the role allows more, else null. */
  readOnlyBecause: string | null;
  /** ISO 8601, UTC. */
  joinedAt: string;
};

type Invited = {
  id: string;
  login: string | null;
  email: string | null;
  role: "viewer" | "reviewer" | "admin";
  /** Name of the user or API key. */
  invitedBy: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
};

type LastMessage = {
  kind: "digest" | "test";
  status: "queued" | "sent" | "failed" | "dropped";
  tries: number;
  /** The chat tool's last response. */
  answer: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Time of the next attempt. Null unless `queued`. */
  nextTryAt: string | null;
  endedAt: string | null;
};

type Data = {
  project: string;
  /** Host and end of the webhook's URL. Null if there is none. */
  slack: string | null;
  changedBy: string | null;
  changedAt: string | null;
  /** The last message since the channel was set. Null if there is none. */
  lastMessage: LastMessage | null;
};

type Timeline = {
  /** ISO 8601, UTC. */
  at: string;
  kind: "notified";
  channel: "slack" | "email" | "pagerduty" | "incidents" | "webhook";
  receiver: string;
  /** What the message reports. `replaced` closes an incident that another incident replaced. `unchecked` and `checked` are about monitors without results, `certificate` and `renewed` about the site's certificate. `failing` and `passing` are about the HTTP check. */
  message: "unchecked" | "checked" | "certificate" | "renewed" | "failing" | "passing" | "changed" | "down" | "recovered" | "test" | "replaced";
  status: "queued" | "sent" | "failed" | "dropped";
  answer: string | null;
};

type Timeline2 = {
  /** ISO 8601, UTC. */
  at: string;
  kind: "resolved";
  by: string | null;
  resolution: "recovered" | "approved" | "replaced" | "manual";
  /** The note of the member who resolved it. */
  text: string | null;
};

type Timeline3 = {
  /** ISO 8601, UTC. */
  at: string;
  kind: "opened";
  /** Why it opened. */
  text: string;
} | {
  /** ISO 8601, UTC. */
  at: string;
  kind: "confirmed";
  attempts: number;
} | Timeline | {
  /** ISO 8601, UTC. */
  at: string;
  kind: "acknowledged";
  /** The member's name at that time. */
  by: string;
} | {
  /** ISO 8601, UTC. */
  at: string;
  kind: "assigned";
  /** The member's name at that time. */
  by: string;
  /** Null if the assignee was removed. */
  login: string | null;
} | {
  /** ISO 8601, UTC. */
  at: string;
  kind: "commented";
  /** The member's name at that time. */
  by: string;
  text: string;
} | Timeline2;

type Answer9 = {
  id: string;
  monitor: {
    id: string;
    /** Its name when the incident opened. */
    name: string;
  };
  /** `unchecked`: monitors had no results. `certificate`: it expires soon. `failing`: the HTTP check fails. */
  kind: "changed" | "down" | "unchecked" | "certificate" | "failing";
  /** What happened, in one line. */
  title: string;
  state: "open" | "acknowledged" | "resolved";
  /** The check that opened the incident. Empty unless its kind is `changed` or `down`. */
  checkId: string;
  /** The run that shows the problem. */
  runId: string | null;
  /** When the check that found the problem started. */
  openedAt: string;
  acknowledgedAt: string | null;
  acknowledgedBy: string | null;
  assignee: {
    id: string;
    login: string;
  } | null;
  resolvedAt: string | null;
  /** `recovered`: a check found no problem. `approved`: a reviewer approved the changes. `replaced`: the problem changed, and another incident opened. `manual`: a member resolved it. */
  resolution: "recovered" | "approved" | "replaced" | "manual" | null;
  /** The member who resolved it. Null unless `manual`. */
  resolvedBy: string | null;
  /** Oldest first, at most 500 entries and as many notifications. */
  timeline: Timeline3[];
};

type Answer10 = {
  id: string;
  title: string;
  slug: string;
  components: ({
    monitorId: string;
    name: string;
  })[];
  hasPassword: boolean;
  url: string;
  changedBy: string;
  /** ISO 8601, UTC. */
  changedAt: string;
};

type Events = "run.completed" | "run.reviewed" | "build.finalized" | "monitor.changed" | "monitor.down" | "monitor.recovered" | "monitor.unchecked" | "monitor.checked" | "monitor.certificate" | "monitor.renewed" | "monitor.failing" | "monitor.passing" | "baseline.changed" | "comment.created";

type Answer11 = {
  id: string;
  url: string;
  events: Events[];
  /** Only events of this project and its named builds. Monitors belong to no project. */
  project: string | null;
  description: string;
  status: "active" | "paused";
  /** `failures`: no delivery succeeded for three days. `gone`: the receiver answered 410. */
  pausedBecause: "member" | "failures" | "gone" | null;
  pausedAt: string | null;
  /** First failed attempt since the last success. */
  failingSince: string | null;
  /** When the replaced secret stops signing. */
  previousSecretUntil: string | null;
  /** Name of the user or API key. */
  createdBy: string;
  /** ISO 8601, UTC. */
  createdAt: string;
};

type Answer12 = {
  id: string;
  /** Sent as `webhook-id`. Replays have the same. */
  eventId: string;
  event: string;
  /** `failed`: all attempts failed. `dropped`: it was not sent. `answer` gives the reason. */
  status: "queued" | "sent" | "failed" | "dropped";
  attempts: number;
  /** The receiver's last response. */
  answer: string | null;
  isReplay: boolean;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Null unless `queued`. */
  nextAttemptAt: string | null;
  endedAt: string | null;
};

type Scm2 = {
  owner: string;
  repo: string;
  sha: string;
  /** Pull request number. */
  pr?: number | undefined;
  branch?: string | undefined;
  /** Target branch of the pull request. */
  baseBranch?: string | undefined;
  /** Default branch of the repository. It becomes the default branch of a new project. An existing project changes only if the API key is an admin's. */
  defaultBranch?: string | undefined;
  /** Merge base with the baseline branch. Null if it could not be found. */
  baseSha?: string | null | undefined;
  /** Whether the pull request comes from a fork. Its runs get no secrets of the project. */
  fromFork?: boolean | undefined;
  /** Author of the pull request or commit, for display. */
  author?: string | undefined;
  /** First line of the commit's message, for display. */
  message?: string | undefined;
  checkRunId?: number | string | undefined;
  /** All commits of the base branch since `baseSha`. Baselines that these commits approved don't count. */
  missingShas?: string[] | undefined;
  /** Paths that changed since `baseSha`. Causes of changes name the matching ones. */
  changedFiles?: string[] | undefined;
};

type Intent2 = {
  /** Routes that should change. `*` stands for any text, such as in `/checkout*`. Default: any. */
  routes?: string[] | undefined;
  /** Elements that should change, as classes, ids or tags, such as `.btn-primary`. Compared with the causes' selectors and CSS rules. */
  selectors?: string[] | undefined;
  /** Words that tell what should change, such as `price` or `header.css`. Compared with the causes' texts and files, without regard to case. */
  words?: string[] | undefined;
};

type Proof = {
  status: "running" | "done";
  /** Null while it runs. */
  outcome: "proven" | "not_explained" | "not_kept" | "no_change" | "page_changed" | "unreachable" | "failed" | null;
  /** The result in words, with code in backticks. */
  text: string;
  /** URLs of the files that cause the change: one, or several that only together do. */
  files: string[];
  /** How often the page was captured. */
  captures: number;
  requestedBy: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  endedAt: string | null;
};

type IgnoreRegions3 = {
  /** Distance from the left edge of the screenshot in px. */
  x: number;
  /** Distance from the top of the screenshot in px. */
  y: number;
  /** px. */
  width: number;
  /** px. */
  height: number;
};

type Attachments = {
  /** Such as trace, network.har or console. */
  name: string;
  /** Link to the file, such as an artifact of the build. */
  url?: string | undefined;
  /** SHA-256 of the file, instead of `url`. The response says whether to upload it. */
  hash?: string | undefined;
};

type Screenshots = {
  /** Browser and version, for display, such as Firefox 140.0. */
  browser?: string | undefined;
  /** Viewport of the browser, px. The width identifies the screenshot together with its name and environment. Default: the width of their only baseline, or else of the image. */
  viewport?: {
    width: number;
    height?: number | undefined;
  } | undefined;
  /** Name of the browser or variant, such as firefox or dark. Each one has its own baseline. */
  environment?: string | undefined;
  /** Path of the test file. */
  testFile?: string | undefined;
  /** Line in the test file. */
  line?: number | undefined;
  /** Titles of the test, outermost first. */
  titlePath?: string[] | undefined;
  /** Number of earlier attempts of the test. The screenshot of the last attempt counts. */
  retry?: number | undefined;
  /** Tags of the test. */
  tags?: string[] | undefined;
  /** URL of the page that the screenshot shows. */
  url?: string | undefined;
  /** What reviewers should know about how the screenshot was made. */
  note?: string | undefined;
  /** Share of changed pixels above which the screenshot needs review. Default: the build's. */
  threshold?: number | undefined;
  /** Difference below which two colors count as equal, 0–1. Default: 0.1. */
  colorThreshold?: number | undefined;
  /** Rectangles in which changed pixels don't count, in pixels of the image. */
  ignoreRegions?: IgnoreRegions3[] | undefined;
  /** Earlier names of the screenshot. It is compared with the baseline of the first that has one. */
  previousNames?: string[] | undefined;
  /** Files of the test, such as a Playwright trace or a HAR file. */
  attachments?: Attachments[] | undefined;
  /** Name of the screenshot, such as Button/primary. */
  name: string;
  /** SHA-256 of the bytes of the image file. */
  hash: string;
};

type Answer13 = {
  /** All rules that match a page that needs review apply. They replace the project's rules. */
  rules: ({
    /** Routes of changed pages. `*` stands for any text, such as in `/checkout*`. */
    routes: string[];
    /** Logins of members who can review. */
    reviewers: unknown;
  })[];
  project: string;
};

type Base = {
  kind: "run" | "branch" | "monitor" | "look";
  /** The side as in the query. */
  text: string;
  /** The side in words. */
  label: string;
  project: string;
  runId: string | null;
  branch: string | null;
  monitorId: string | null;
  /** The time of a monitor's moment, or when the run was submitted. */
  at: string | null;
  /** Commit SHA of a run. Null if it had none. */
  commit: string | null;
};

type Base2 = {
  /** The run that captured it. Null if that is unknown. */
  runId: string | null;
  screenshotId: string | null;
  /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
  environment: string | null;
  /** When it was approved, or first seen by the monitor. Null for runs. */
  at: string | null;
  /** Image width in px. */
  width: number | null;
  /** Image height in px. */
  height: number | null;
  browser: string | null;
};

type Data2 = {
  id: string;
  name: string;
  /** Branch that provides the baselines of all other branches. */
  defaultBranch: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Whether the service repeats a run of the default branch once a day to count false alarms. */
  nullReruns: boolean;
  /** Repositories whose pull requests show the threads of reviews. `private`: private repositories. */
  mirrorThreads: "private" | "always" | "never";
  /** Approvals that a screenshot needs. Null: the team's number. */
  requiredApprovals: number | null;
  /** Whether submitters can approve their own runs. Null: the team's setting. */
  allowSelfApproval: boolean | null;
  /** Days until ended runs are deleted, at most the plan's. Null: the plan's days. */
  retentionDays: number | null;
  /** Days until links to reports and images of runs expire. Null: the team's days. */
  linkDays: number | null;
  /** Branches with baselines. At most 100, pull requests included. */
  branches: string[];
  /** Pull requests with baselines. */
  pullRequests: number[];
};

type Data3 = {
  id: string;
  project: string;
  /** Path of the page, id of a story, or name of an uploaded screenshot. */
  route: string;
  /** State that a screenshot step captured. Null for the page's own screenshot. */
  state: string | null;
  /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
  environment: string | null;
  /** Viewport width in px. */
  viewport: number;
  /** Null for a pull request. */
  branch: string | null;
  /** Pull request number. Null for a branch. */
  pr: number | null;
  /** Commit SHA. Null if the run had none or was deleted. */
  commit: string | null;
  /** Whether this is the current baseline of its branch or pull request. */
  inForce: boolean;
  /** True if the removal of the page was approved. There is no image then. */
  removed: boolean;
  /** Image width in px. */
  width: number | null;
  /** Image height in px. */
  height: number | null;
  browser: string | null;
  /** Link that opens without an API key. */
  image: string | null;
  runId: string;
  screenshotId: string;
  /** False if the run was deleted at the end of the plan's retention period. */
  runKept: boolean;
  /** Names at the time of the approval. */
  approvedBy: string[];
  /** ISO 8601, UTC. */
  approvedAt: string;
  /** The run in which the same change was approved before. */
  carriedFrom: string | null;
  /** Who restored this baseline, and when. */
  restored: {
    by: string;
    /** ISO 8601, UTC. */
    at: string;
  } | null;
};

type Data4 = {
  id: string;
  project: string;
  /** Path of the page, id of a story, or name of an uploaded screenshot. */
  route: string;
  /** State that a screenshot step captured. Null for the page's own screenshot. */
  state: string | null;
  /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
  environment: string | null;
  /** Viewport width in px. */
  viewport: number;
  x: number;
  y: number;
  /** px. 0 for a raised threshold, which ignores no region. */
  width: number;
  height: number;
  /** The raised threshold, 0–1. Null for a region. */
  threshold: number | null;
  /** `page` (default): the page at this width. `widths`: the page at all widths. `project`: all pages of the project. */
  appliesTo: "page" | "widths" | "project";
  reason: string | null;
  /** Name of the user or API key at that time. */
  acceptedBy: string;
  /** ISO 8601, UTC. */
  acceptedAt: string;
  /** Who changed it last. Null if it was never changed. */
  changedBy: string | null;
  changedAt: string | null;
  /** When the rule ends or ended. Null: never. */
  expiresAt: string | null;
  isActive: boolean;
};

type Entry7 = {
  /** Page on which the steps begin, such as /login. Default: /. */
  url?: string | undefined;
  /** Steps of the login, such as fill and click. They begin on `url`. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps15 | Steps10 | Steps11 | Steps12 | Steps13 | Steps16)[] | undefined;
  /** What proves that the login worked. It is checked after the steps. */
  expect?: Expect | undefined;
  /** Cookies that are set before the steps. */
  cookies?: Cookies[] | undefined;
  /** File with Playwright's storage state, relative to the configuration. Only the command line reads it. */
  storageState?: string | undefined;
  /** Credentials of HTTP basic authentication for the application's origin. */
  basicAuth?: BasicAuth | undefined;
  /** TLS client certificates of the session's pages and of its login. */
  clientCertificates?: ClientCertificates[] | undefined;
};

type Entry8 = {
  viewports?: unknown | undefined;
  threshold?: number | undefined;
  /** Environments of this route. `default` is the one without settings. Default: all. */
  environments?: string[] | undefined;
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Extra headers for the page's requests to the origin of the URL. */
  headers?: Record<string, string> | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network5 | Network6 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps15 | Steps10 | Steps11 | Steps12 | Steps13 | Steps16)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element2 | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
};

type Configuration = {
  /** Paths of the pages. Default: /. */
  routes?: unknown | undefined;
  /** Viewports: widths in px, or { width, height }. The default height is 800. Default: 1280. */
  viewports?: unknown | undefined;
  /** Share of changed pixels above which a screenshot needs review, 0–1. Default: 0.01. */
  threshold?: number | undefined;
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Extra headers for the page's requests to the origin of the URL. */
  headers?: Record<string, string> | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network5 | Network6 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps15 | Steps10 | Steps11 | Steps12 | Steps13 | Steps16)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element2 | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
  /** Named sets of browser options. Each page is captured in every environment, in addition to the default one. */
  environments?: Record<string, Entry4> | undefined;
  /** Whether pages are captured without an environment, too. Default: true. */
  defaultEnvironment?: boolean | undefined;
  /** Named logins. Each is performed once, for all pages that name it. */
  sessions?: Record<string, Entry7> | undefined;
  /** Hosts that pages of an archive may reach besides the archive, such as `fonts.example.com` or `*.example.com`. Default: none. Runs without an archive ignore it. */
  allowHosts?: string[] | undefined;
  perRoute?: Record<string, Entry8> | undefined;
};

type Answer14 = {
  project: string;
  /** Number of changes. 0 without a configuration. */
  version: number;
  configuration: Configuration;
  /** Secrets that the configuration refers to and that the project doesn't have. */
  missingSecrets: string[];
  /** Name of the user or API key at that time. */
  changedBy: string | null;
  changedAt: string | null;
};

type Configuration2 = {
  /** Paths of the pages. Default: /. */
  routes?: string[] | undefined;
  /** Viewports: widths in px, or { width, height }. The default height is 800. Default: 1280. */
  viewports?: (number | {
    width: number;
    height: number;
  })[] | undefined;
  /** Share of changed pixels above which a screenshot needs review, 0–1. Default: 0.01. */
  threshold?: number | undefined;
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Extra headers for the page's requests to the origin of the URL. */
  headers?: Record<string, string> | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network3 | Network4 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
  /** Named sets of browser options. Each page is captured in every environment, in addition to the default one. */
  environments?: Record<string, Entry> | undefined;
  /** Whether pages are captured without an environment, too. Default: true. */
  defaultEnvironment?: boolean | undefined;
  /** Named logins. Each is performed once, for all pages that name it. */
  sessions?: Record<string, Entry2> | undefined;
  /** Hosts that pages of an archive may reach besides the archive, such as `fonts.example.com` or `*.example.com`. Default: none. Runs without an archive ignore it. */
  allowHosts?: string[] | undefined;
  perRoute?: Record<string, Entry3> | undefined;
};

type Answer15 = {
  /** Runs that need review: those assigned to you, all of your teams, or none. */
  reviews: "assigned" | "all" | "none";
  /** Comments that mention you, and replies in threads that you take part in. */
  mentions: boolean;
  /** Runs that you submitted, or whose pull request is yours, when they are approved or rejected. */
  decisions: boolean;
  /** Monitors of your teams that are down, and that recovered. */
  monitors: boolean;
  /** Address that the code host verified. Null if there is none. */
  email: string | null;
};

type Type = "team.created" | "team.renamed" | "team.settings" | "team.deleted" | "team.restored" | "member.joined" | "member.changed" | "member.removed" | "member.left" | "invitation.made" | "invitation.revoked" | "key.created" | "key.lowered" | "key.revoked" | "session.opened" | "session.refused" | "session.ended" | "sign_in.changed" | "provider.changed" | "provider.deleted" | "scim.created" | "scim.activated" | "scim.deactivated" | "scim.deleted" | "scim.group_changed" | "scim.group_deleted" | "run.approved" | "run.rejected" | "run.dismissed" | "run.assigned" | "run.canceled" | "run.rerun" | "run.links_revoked" | "proof.started" | "baseline.restored" | "project.changed" | "install.changed" | "region.accepted" | "region.changed" | "region.dismissed" | "region.removed" | "configuration.changed" | "secret.changed" | "secret.deleted" | "monitor.created" | "monitor.changed" | "monitor.deleted" | "monitor.snoozed" | "monitor.unsnoozed" | "monitor.unsubscribed" | "status_page.changed" | "status_page.deleted" | "maintenance.created" | "maintenance.ended" | "incident.acknowledged" | "incident.assigned" | "incident.resolved" | "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.paused" | "webhook.deleted" | "connection.created" | "connection.changed" | "connection.deleted" | "plan.changed" | "payment.failed" | "usage.noticed";

type Answer16 = {
  id: string;
  status: "receiving" | "running" | "completed" | "failed";
  progress: {
    /** Finished parts. */
    done: number;
    /** Null while it is unknown. */
    total: number | null;
  };
  /** Rows by table, such as `runs.baseline`. */
  counts: Record<string, {
      rows: number;
      /** Rows that an import added. */
      new?: number | undefined;
    }>;
  /** Secrets that the file doesn't have. Set them again after an import. */
  leftOut: ({
    kind: "secret" | "api_key" | "provider" | "channels" | "credentials" | "webhook" | "chat" | "page_password";
    name: string;
  })[];
  error: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  endedAt: string | null;
  /** Images and other files that the rows need. */
  files: number;
  /** When the file can't be downloaded anymore. */
  expiresAt: string | null;
  links: {
    /** Absolute URL. */
    self: string;
    /** Null until it is completed. */
    file: string | null;
  };
};

type Answer17 = {
  id: string;
  /** `gitea` is Forgejo too. `bitbucket` is Bitbucket Cloud. */
  host: "gitlab" | "gitea" | "bitbucket";
  /** Address of the instance. */
  url: string;
  /** Path of the repository. */
  repository: string;
  /** Project of its runs. */
  project: string;
  /** `refused`: the code host rejects the token. Set a new one. */
  state: "connected" | "refused";
  /** What to do about a refused token. */
  error: string | null;
  /** Null for a token that never expires. */
  tokenExpiresAt: string | null;
  rotatesToken: boolean;
  /** URL that receives the repository's events. */
  webhookUrl: string;
  /** Whether the service created the webhook. If not, create it with this URL and the secret. */
  hasWebhook: boolean;
  /** Time of the latest event. Null before the first. */
  lastEventAt: string | null;
  createdBy: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Secret token of the webhook. It is shown only once. */
  webhookSecret: string;
};

type Incidents = {
  tool: "opsgenie" | "incident-io" | "alertmanager";
  /** Opsgenie: `https://api.opsgenie.com` or the EU's. incident.io: the URL of an HTTP alert source. Alertmanager: its base URL. */
  url: string;
  /** API key, or the token that protects Alertmanager. It is never shown again. */
  key: string;
};

type Http2 = {
  /** Longest allowed time to the first byte in ms. Null for no limit. */
  maxResponseMs?: number | null | undefined;
  /** Text that each page must contain. Null for none. */
  requiredText?: string | null | undefined;
  /** Regions to check from. Empty to check from any renderer node. */
  regions?: string[] | undefined;
  /** Number of regions that must find a problem before the monitor alerts. */
  agree?: number | undefined;
};

type Entry9 = {
  /** Environments of this route. `default` is the one without settings. Default: all. */
  environments?: string[] | undefined;
  /** Difference below which two colors count as equal, from 0 to 1. Default: 0.1. With 0, every difference counts except smoothed edges. */
  colorThreshold?: number | undefined;
  /** Rectangles in CSS pixels, or elements by selector, in which changed pixels don't count. The project's ignore regions apply too. Elements are ignored where they are in the baseline, too. Reports show each of them with its number of changed pixels. */
  ignoreRegions?: (IgnoreRegions | IgnoreRegions2)[] | undefined;
  /** CSS selectors of elements to cover with a solid color. */
  masks?: string[] | undefined;
  /** CSS selectors of elements to hide. They keep their space in the layout. */
  hide?: string[] | undefined;
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string | undefined;
  /** Extra headers for the page's requests to the origin of the URL. */
  headers?: Record<string, string> | undefined;
  /** Rules for the page's requests. All rules together can have at most 300 wildcards. */
  network?: (Network | Network3 | Network4 | Network2)[] | undefined;
  /** Start time of the page's clock, such as 2026-01-31T09:00:00Z. Default: the time of the capture. */
  clock?: string | undefined;
  /** `seeded` (default): Math.random and crypto.randomUUID return the same values in every capture of a page. `real`: random values. */
  random?: "seeded" | "real" | undefined;
  /** Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step. */
  steps?: (Steps | Steps2 | Steps3 | Steps4 | Steps5 | Steps6 | Steps7 | Steps8 | Steps9 | Steps10 | Steps11 | Steps12 | Steps13 | Steps14)[] | undefined;
  /** Session whose cookies and storage the page gets. */
  session?: string | undefined;
  /** Element that the screenshot shows in place of the page. */
  element?: string | Element | undefined;
  /** Space around the element that the screenshot shows, px. Default: 0. */
  padding?: number | undefined;
  /** Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport. */
  fullPage?: boolean | undefined;
  /** Height at which the screenshot is cut, px. Default: 20,000. */
  maxHeight?: number | undefined;
};

type Drift = {
  route: string;
  /** State that a screenshot step captured. Null for the page's own screenshot. */
  stateName: string | null;
  /** Name of the environment. Null for the default one. A monitor with regions adds the region: `dark@eu-west`, or `@eu-west` for the default one. */
  environment: string | null;
  /** Region that captured it. Null without regions. Its name is part of `environment`. */
  region: string | null;
  viewport: number;
  /** Share of changed pixels, 0–1. Null if nothing was compared. */
  ratio: number | null;
  /** Pixels whose colors differ by less than the default color threshold. 0 if other pixels changed, or with another color threshold. */
  faintPixels: number;
  state: "ok" | "new" | "changed" | "failed";
  /** Whether it is a minor change: `ratio` or `faintPixels` is above 0, but the difference is within the alert threshold. */
  minor: boolean;
};

type Answer18 = {
  id: string;
  /** The run to open. For a changed check, this is the confirmation run: approve it to update the baseline. Otherwise, it is the first run, with all pages. */
  runId: string;
  kind: "scheduled" | "manual";
  /** Null while the check is running. */
  outcome: "established" | "ok" | "changed" | "down" | "failed" | null;
  /** Why the site counts as down, or why the check failed. */
  error: string | null;
  /** Whether it ran during maintenance. Such a check doesn't alert or count toward the uptime. */
  maintenance: boolean;
  /** Number of attempts. The service confirms changes and failures with another attempt. */
  attempts: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  endedAt: string | null;
  /** Link to the run's report. Opens without signing in until it expires. */
  report: string;
  /** What each region saw. Empty without regions, and while the check is running. */
  regions: Regions[];
  /** Number of regions that had to agree when the check started. */
  agree: number;
  /** Most pixels of a page whose colors differ by less than the default color threshold, on pages without other changes. */
  faintPixels: number;
  /** One entry for each page, in each state, environment, viewport and region. Empty while the check is running. */
  drift: Drift[];
  /** What to know of the check, such as baselines of another browser. */
  warnings: Warnings[];
};

type Points = {
  /** Start of the hour or the day, UTC. */
  at: string;
  up: number;
  down: number;
  /** Mean time to the first byte of the page's document, in ms. Null if unknown. */
  responseMs: number | null;
};

type Data5 = {
  /** `project:<id>` or `team:<id>`. */
  key: string;
  /** Installation that created the consent. */
  configurationId: string | null;
  /** Team consent that covered the project when it was new. */
  registeredBy: string | null;
  /** ISO 8601, UTC. */
  registeredAt: string;
};

type Data6 = {
  /** The platform's. */
  configurationId: string;
  /** The platform's team, or the person of an account without teams. */
  ownerId: string | null;
  /** The team that its runs are for; null where that isn't known yet. */
  teamId: string | null;
  allProjects: boolean;
  /** ISO 8601, UTC. */
  installedAt: string;
  /** Those with settings of their own. */
  projects: ({
    /** The platform's. */
    id: string;
    routes: string[] | null;
    routesFromConfig: boolean | null;
    hasApiKey: boolean;
  })[];
};

type Data7 = {
  id: string;
  channel: "slack" | "email" | "pagerduty" | "incidents" | "webhook";
  /** What the message reports. `replaced` closes an incident that another incident replaced. `unchecked` and `checked` are about monitors without results, `certificate` and `renewed` about the site's certificate. `failing` and `passing` are about the HTTP check. */
  kind: "unchecked" | "checked" | "certificate" | "renewed" | "failing" | "passing" | "changed" | "down" | "recovered" | "test" | "replaced";
  /** Address of the receiver. Secret addresses show only their last characters. */
  receiver: string;
  /** `failed`: all attempts failed. `dropped`: the message was no longer needed. `answer` gives the reason. */
  status: "queued" | "sent" | "failed" | "dropped";
  tries: number;
  /** The receiver's last response. */
  answer: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Time of the next attempt. Null unless `queued`. */
  nextTryAt: string | null;
  endedAt: string | null;
};

type Answer19 = {
  project: string;
  addresses: string[];
  /** Those of the addresses whose readers unsubscribed. They get no emails of this project. */
  unsubscribed: string[];
  changedBy: string | null;
  changedAt: string | null;
};

type Data8 = {
  tool: "slack" | "discord";
  /** Set it as the request URL (Slack) or interactions endpoint (Discord) of the app. */
  requestUrl: string;
  isSet: boolean;
  changedBy: string | null;
  changedAt: string | null;
};

type Schedule = {
  kind: "weekly";
  /** 0 is Sunday. */
  weekdays: unknown;
  /** Local time at which it starts. A time that a clock change skips is an hour later. */
  start: string;
  durationMinutes: number;
  /** IANA time zone. */
  timeZone: string;
};

type Data9 = {
  id: string;
  title: string;
  /** Null for all monitors of the team. */
  monitors: string[] | null;
  mode: "pause" | "quiet";
  schedule: {
    kind: "once";
    /** ISO 8601, UTC. */
    from: string;
    /** ISO 8601, UTC. */
    until: string;
  } | Schedule;
  isActive: boolean;
  /** The current or next occurrence. Null if there is none anymore. */
  next: {
    /** ISO 8601, UTC. */
    from: string;
    /** ISO 8601, UTC. */
    until: string;
  } | null;
  createdBy: string;
  /** ISO 8601, UTC. */
  createdAt: string;
};

type Body = {
  title: string;
  /** Last part of the page's URL. */
  slug: string;
  components: ({
    monitorId: string;
    /** Name on the page. The monitor's own name and URL are not shown. */
    name: string;
  })[];
  /** Password of the page. Null makes the page public. Left out, a changed page keeps its password. */
  password?: string | null | undefined;
};

type Answer20 = {
  id: string;
  url: string;
  events: Events[];
  /** Only events of this project and its named builds. Monitors belong to no project. */
  project: string | null;
  description: string;
  status: "active" | "paused";
  /** `failures`: no delivery succeeded for three days. `gone`: the receiver answered 410. */
  pausedBecause: "member" | "failures" | "gone" | null;
  pausedAt: string | null;
  /** First failed attempt since the last success. */
  failingSince: string | null;
  /** When the replaced secret stops signing. */
  previousSecretUntil: string | null;
  /** Name of the user or API key. */
  createdBy: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Verifies signatures. Only this response shows it. */
  secret: string;
};
