/** The raw request of another system, because its signature covers these bytes. */
export interface Delivery {
  /** The headers that its route lists, with names in lower case. */
  headers: Record<string, string>;
  params: Record<string, string>;
  /** Base64, because the bus carries text. */
  body: string;
}

/** The response. The body is JSON. */
export interface DeliveryAnswer {
  status: number;
  body: unknown;
}
