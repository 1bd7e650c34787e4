/** The responses that the pages fetch after loading. */
export const RESPONSES = new Map<string, unknown>([
  [
    "tide",
    {
      readings: [
        { name: "High water", value: "12:48" },
        { name: "Over the sill", value: "3.1 m" },
        { name: "Gate opens", value: "10:55" },
      ],
    },
  ],
  [
    "arrivals",
    {
      boats: [
        {
          name: "Kittiwake",
          type: "Sloop, 9.8 m",
          due: "11:10",
          draught: "1.6 m",
          berth: "B 14",
          state: "Moored",
          tone: "",
        },
        {
          name: "Marguerite",
          type: "Ketch, 13.1 m",
          due: "11:35",
          draught: "1.9 m",
          berth: "A 03",
          state: "In the gate",
          tone: "",
        },
        {
          name: "Old Tom",
          type: "Crabber, 7.4 m",
          due: "12:05",
          draught: "1.1 m",
          berth: "F 02",
          state: "On time",
          tone: "",
        },
        {
          name: "Saltwife",
          type: "Cutter, 11.2 m",
          due: "12:40",
          draught: "2.1 m",
          berth: "A 07",
          state: "Waits for water",
          tone: "wait",
        },
        {
          name: "Petrel",
          type: "Motor, 8.9 m",
          due: "13:15",
          draught: "0.9 m",
          berth: "C 21",
          state: "On time",
          tone: "",
        },
        {
          name: "Nine of Hearts",
          type: "Yawl, 10.4 m",
          due: "14:20",
          draught: "1.7 m",
          berth: "B 09",
          state: "40 min late",
          tone: "late",
        },
      ],
    },
  ],
]);
