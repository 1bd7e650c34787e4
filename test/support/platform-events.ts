/** Deliveries of the deployment platform, as tests send them. */

let deliveries = 0;

export const PREVIEW_DOMAIN = "previews.example";
/** On the platform's own domain: needs no consent. */
export const PREVIEW = `app-1.${PREVIEW_DOMAIN}`;
export const SHA = "0123456789abcdef0123456789abcdef01234567";

interface Deployment {
  name?: unknown;
  url?: unknown;
  target?: unknown;
  meta?: unknown;
  id?: unknown;
}

interface Event {
  /** The delivery's id; undefined for a new one, null for none. */
  id?: unknown;
  type?: unknown;
  deployment?: Deployment;
  payload?: object;
}

/** A preview that is ready, of a project and a team that nobody has consented to, unless told otherwise. */
export function readyEvent({ id, type = "deployment.succeeded", deployment, payload }: Event = {}) {
  deliveries += 1;
  return {
    id: id === undefined ? `delivery-${deliveries}` : id,
    type,
    createdAt: 1_700_000_000_000,
    region: "somewhere",
    payload: {
      deployment: {
        id: `dpl_${deliveries}`,
        name: "shop",
        url: PREVIEW,
        target: null,
        meta: {},
        ...deployment,
      },
      project: { id: "prj_unknown" },
      team: { id: "team_unknown" },
      user: { id: "user_1" },
      ...payload,
    },
  };
}

/** The same as the bytes that are sent. */
export function ready(event: Event = {}): string {
  return JSON.stringify(readyEvent(event));
}
