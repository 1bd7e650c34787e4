/** A figure of an installation. */
export interface Figure {
  title: string;
  unit: string;
  value: number;
}
