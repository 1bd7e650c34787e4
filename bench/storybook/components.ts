/** A component of the UI kit with what its stories show. Values are source text of JSX. */
export interface KitComponent {
  /** Its export in the kit. */
  name: string;
  /** Attributes that all of its stories have. */
  props?: string;
  children?: string;
  /** Which attributes its ten stories vary. */
  varies: "color and size" | "size" | "width";
}

const items = (element: string, texts: readonly string[]) =>
  texts.map((text, at) => element.replaceAll("$text", text).replaceAll("$at", String(at))).join("");

const OPTIONS = `data={["Berlin", "Lisbon", "Oslo"]}`;
const FIELD = `label="City" description="Where the order goes" placeholder="Lisbon"`;

/** Components of Mantine that show something without interaction, and without an endless animation. */
export const COMPONENTS: readonly KitComponent[] = [
  {
    name: "Accordion",
    props: `defaultValue="0"`,
    children: items(
      `<Kit.Accordion.Item value="$at"><Kit.Accordion.Control>$text</Kit.Accordion.Control><Kit.Accordion.Panel>About $text</Kit.Accordion.Panel></Kit.Accordion.Item>`,
      ["Shipping", "Returns", "Payment"],
    ),
    varies: "width",
  },
  { name: "ActionIcon", props: `aria-label="Add"`, children: "+", varies: "color and size" },
  { name: "Alert", props: `title="Payment failed"`, children: "Use another card.", varies: "width" },
  { name: "Anchor", props: `href="#"`, children: "Terms of use", varies: "size" },
  { name: "Avatar", children: "AL", varies: "color and size" },
  { name: "Badge", children: "New", varies: "color and size" },
  { name: "Blockquote", props: `cite="A reader"`, children: "It saved us a week.", varies: "width" },
  {
    name: "Breadcrumbs",
    children: items(`<Kit.Anchor href="#">$text</Kit.Anchor>`, ["Shop", "Shoes", "Boots"]),
    varies: "width",
  },
  { name: "Burger", props: `aria-label="Menu"`, varies: "color and size" },
  { name: "Button", children: "Save changes", varies: "color and size" },
  {
    name: "Card",
    props: `shadow="sm" padding="lg" withBorder`,
    children: `<Kit.Text fw={500}>Norway</Kit.Text><Kit.Text size="sm" c="dimmed">Fjords and forests</Kit.Text>`,
    varies: "width",
  },
  { name: "Checkbox", props: `label="Remember me" defaultChecked`, varies: "color and size" },
  { name: "Chip", props: "defaultChecked", children: "Vegan", varies: "color and size" },
  { name: "CloseButton", props: `aria-label="Close"`, varies: "size" },
  { name: "Code", children: "npm install", varies: "width" },
  { name: "ColorInput", props: `label="Color" defaultValue="#1c7ed6"`, varies: "size" },
  { name: "ColorPicker", props: `defaultValue="#1c7ed6"`, varies: "size" },
  { name: "ColorSwatch", props: `color="#2f9e44"`, varies: "width" },
  { name: "Divider", props: `label="Or" my="sm"`, varies: "width" },
  {
    name: "Fieldset",
    props: `legend="Address"`,
    children: `<Kit.TextInput label="Street" /><Kit.TextInput label="Town" />`,
    varies: "width",
  },
  { name: "FileInput", props: `label="Invoice" placeholder="Choose a file"`, varies: "size" },
  {
    name: "Indicator",
    props: `inline label="3" size={16}`,
    children: `<Kit.Avatar radius="sm">BK</Kit.Avatar>`,
    varies: "width",
  },
  { name: "JsonInput", props: `label="Data" defaultValue='{"a": 1}'`, varies: "size" },
  { name: "Kbd", children: "Ctrl", varies: "size" },
  {
    name: "List",
    children: items("<Kit.List.Item>$text</Kit.List.Item>", ["Clone", "Install", "Start"]),
    varies: "size",
  },
  { name: "Mark", children: "highlighted", varies: "width" },
  { name: "MultiSelect", props: `${FIELD} ${OPTIONS} defaultValue={["Oslo"]}`, varies: "size" },
  { name: "NativeSelect", props: `${FIELD} ${OPTIONS}`, varies: "size" },
  { name: "NavLink", props: `label="Orders" description="12 open" active`, varies: "width" },
  { name: "Notification", props: `title="Saved"`, children: "All changes are stored.", varies: "width" },
  { name: "NumberInput", props: `label="Amount" defaultValue={12}`, varies: "size" },
  { name: "Pagination", props: "total={8} defaultValue={3}", varies: "color and size" },
  { name: "Paper", props: `shadow="md" p="md"`, children: "A raised area", varies: "width" },
  { name: "PasswordInput", props: `label="Password" defaultValue="secret"`, varies: "size" },
  { name: "Pill", props: "withRemoveButton", children: "Tag", varies: "size" },
  { name: "PinInput", props: `defaultValue="12"`, varies: "size" },
  { name: "Progress", props: `value={60} w={240}`, varies: "color and size" },
  { name: "Radio", props: `label="By post" defaultChecked`, varies: "color and size" },
  { name: "Rating", props: "defaultValue={3}", varies: "color and size" },
  { name: "RingProgress", props: `sections={[{ value: 40, color: "teal" }]}`, varies: "width" },
  { name: "SegmentedControl", props: `${OPTIONS} defaultValue="Oslo"`, varies: "color and size" },
  { name: "Select", props: `${FIELD} ${OPTIONS}`, varies: "size" },
  { name: "Slider", props: "defaultValue={40} w={240}", varies: "color and size" },
  {
    name: "Stepper",
    props: "active={1}",
    children: items(`<Kit.Stepper.Step label="$text" />`, ["Cart", "Address", "Payment"]),
    varies: "color and size",
  },
  { name: "Switch", props: `label="Dark mode" defaultChecked`, varies: "color and size" },
  {
    name: "Table",
    props: `data={{ head: ["Name", "Age"], body: [["Ada", 36], ["Grace", 85], ["Alan", 41]] }}`,
    varies: "width",
  },
  {
    name: "Tabs",
    props: `defaultValue="0"`,
    children: `<Kit.Tabs.List>${items(`<Kit.Tabs.Tab value="$at">$text</Kit.Tabs.Tab>`, ["Photos", "Messages", "Settings"])}</Kit.Tabs.List>`,
    varies: "width",
  },
  { name: "TextInput", props: FIELD, varies: "size" },
  { name: "Textarea", props: `label="Message" defaultValue="Hello" rows={3}`, varies: "size" },
  {
    name: "Timeline",
    props: "active={1}",
    children: items(`<Kit.Timeline.Item title="$text">Done</Kit.Timeline.Item>`, [
      "Ordered",
      "Packed",
      "Sent",
    ]),
    varies: "width",
  },
];
