/** What another system sent, as it came: its signature is over these very bytes. */
export interface Delivery {
  /** Those that its route asks for and that it has; names in lower case. */
  headers: Record<string, string>;
  params: Record<string, string>;
  /** In base64, because the bus carries text. */
  body: string;
}

/** What to answer it with; the body is JSON. */
export interface DeliveryAnswer {
  status: number;
  body: unknown;
}
