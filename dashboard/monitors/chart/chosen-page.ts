/** The page and width of the chart and the latest screenshot. */
export interface ChosenPage {
  route: string;
  viewport: number;
}
