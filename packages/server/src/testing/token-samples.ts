/*
 * Texts with the number of tokens that real tokenizers make of them: OpenAI's cl100k_base of 2023 and o200k_base of 2024, as js-tiktoken and
 * gpt-tokenizer count, Anthropic's published one, that of Llama 3, and Mistral's first. Most are the first article of the Universal
 * Declaration of Human Rights.
 */

export interface TokenSample {
  name: string
  text: string
  cl100k: number
  o200k: number
  claude: number
  llama: number
  mistral: number
}

/** By name and these numbers. */
const SAMPLES: Record<string, string> = {
  'English, 33, 33, 33, 33, 34':
    'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.',
  'German, 44, 38, 50, 44, 49':
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.',
  'Polish, 64, 53, 79, 62, 71':
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.',
  'Finnish, 68, 54, 70, 68, 75':
    'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.',
  'Turkish, 60, 46, 69, 43, 74':
    'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.',
  'Vietnamese, 83, 50, 132, 48, 123':
    'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình anh em.',
  'Greek, 172, 71, 210, 74, 194':
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.',
  'Russian, 75, 42, 90, 48, 62':
    'Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.',
  'Kazakh, 166, 66, 170, 134, 127':
    'Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Адамдарға ақыл-парасат, ар-ождан берілген, сондықтан олар бір-бірімен туыстық, бауырмалдық қарым-қатынас жасаулары тиіс.',
  'Armenian, 289, 47, 291, 251, 166':
    'Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։ Նրանք ունեն բանականություն ու խիղճ և միմյանց պետք է եղբայրաբար վերաբերվեն։',
  'Georgian, 322, 51, 198, 322, 175':
    'ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით. მათ მინიჭებული აქვთ გონება და სინდისი და ერთმანეთის მიმართ უნდა იქცეოდნენ ძმობის სულისკვეთებით.',
  'Hebrew, 129, 50, 119, 129, 128':
    'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.',
  'Arabic, 80, 42, 101, 45, 104':
    'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.',
  'Persian, 105, 44, 139, 47, 148':
    'تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای عقل و وجدان هستند و باید نسبت به یکدیگر با روح برادری رفتار کنند.',
  'Hindi, 180, 54, 199, 93, 197':
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।',
  'Bengali, 213, 56, 300, 211, 187':
    'সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। তাঁদের বিবেক এবং বুদ্ধি আছে; সুতরাং সকলেরই একে অপরের প্রতি ভ্রাতৃত্বসুলভ মনোভাব নিয়ে আচরণ করা উচিত।',
  'Punjabi, 171, 49, 276, 170, 245':
    'ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ ਅਤੇ ਸੁਤੇ ਸਿੱਧ ਸਾਰੇ ਲੋਕ ਬਰਾਬਰ ਹਨ।',
  'Gujarati, 276, 59, 437, 276, 339':
    'પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે. તેમનામાં વિચારશક્તિ અને અંતઃકરણ હોય છે અને તેમણે પરસ્પર બંધુત્વની ભાવનાથી વર્તવું જોઇએ.',
  'Tamil, 228, 52, 316, 228, 174':
    'மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும் உரிமைகளிலும் சமமானவர்கள். அவர்கள் நியாயத்தையும் மனச்சாட்சியையும் இயற்பண்பாகப் பெற்றவர்கள்.',
  'Telugu, 281, 78, 331, 281, 232':
    'ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు. వారు వివేచన-అంతఃకరణ సంపన్నులగుటచే పరస్పరము భ్రాతృభావముతో వర్తింపవలయును.',
  'Kannada, 289, 57, 335, 289, 211':
    'ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ. ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ. ವಿವೇಕ ಮತ್ತು ಅಂತಃಕರಣಗಳನ್ನು ಪಡೆದವರಾದ್ದರಿಂದ ಅವರು ಪರಸ್ಪರ ಸಹೋದರ ಭಾವದಿಂದ ವರ್ತಿಸಬೇಕು.',
  'Malayalam, 307, 70, 408, 307, 423':
    'മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ്. അന്യോന്യം ഭ്രാതൃഭാവത്തോടെ പെരുമാറുവാനാണ് മനുഷ്യന് വിവേകബുദ്ധിയും മനസ്സാക്ഷിയും സിദ്ധമായിരിക്കുന്നത്.',
  'Sinhala, 350, 102, 294, 349, 329':
    'සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් සමාන වෙති. යුක්ති අයුක්ති පිළිබඳ හැඟීමෙන් හා හෘදය සාක්ෂියෙන් යුත් ඔවුන් එකිනෙකාට සැලකිය යුත්තේ සහෝදරත්වය පිළිබඳ හැඟීමෙනි.',
  'Thai, 139, 65, 240, 63, 132':
    'มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิ ต่างในตนมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยจิตวิญญาณแห่งภราดรภาพ',
  'Lao, 230, 207, 329, 221, 298':
    'ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ, ສິດທິ, ເສລີພາບ ແລະ ຄວາມສະເໝີພາບເທົ່າທຽມກັນ. ທຸກໆຄົນມີເຫດຜົນ ແລະ ຄວາມຄິດຄວາມເຫັນສ່ວນຕົວ.',
  'Tibetan, 191, 138, 277, 191, 133': 'འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང༌། ཐོབ་ཐངགི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད་ལ།',
  'Burmese, 250, 67, 116, 250, 212':
    'လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ တူညီလွတ်လပ်သော အခွင့်အရေးများဖြင့် လည်းကောင်း၊ မွေးဖွားလာသူများ ဖြစ်သည်။',
  'Khmer, 204, 75, 360, 204, 138':
    'មនុស្សទាំងអស់កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។ មនុស្សមានវិចារណញ្ញាណនិងសតិសម្បជញ្ញៈជាប់ពីកំណើត។',
  'Amharic, 248, 187, 267, 248, 229':
    'የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው። የተፈጥሮ ማስተዋልና ሕሊና ስላለው አንዱ ሌላውን በወንድማማችነት መንፈስ መመልከት ይገባዋል።',
  'Mongolian, 225, 239, 239, 225, 239':
    'ᠬᠦᠮᠦᠨ ᠪᠦᠷ ᠲᠥᠷᠥᠵᠦ ᠮᠡᠨᠳᠡᠯᠡᠬᠦ ᠡᠷᠬᠡ ᠴᠢᠯᠥᠭᠡ ᠲᠡᠢ᠂ ᠠᠳᠠᠯᠢᠬᠠᠨ ᠨᠡᠷ᠎ᠡ ᠲᠥᠷᠥ ᠲᠡᠢ᠂ ᠢᠵᠢᠯ ᠡᠷᠬᠡ ᠲᠡᠢ ᠪᠠᠢᠠᠭ᠃',
  'Chinese, 50, 35, 49, 36, 43':
    '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  'Traditional, 60, 39, 58, 38, 49':
    '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。',
  'Japanese, 93, 72, 87, 58, 91':
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
  'Korean, 85, 51, 95, 52, 89':
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
  'Cherokee, 218, 236, 236, 218, 236':
    'ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ ᏚᏳᎧᏛ ᎨᏒᎢ. ᎨᏥᏁᎳ ᎤᎾᏓᏅᏖᏗ ᎠᎴ ᎤᏃᏟᏍᏗ ᎠᎴ ᏌᏊ ᎨᏒ ᏧᏂᎸᏫᏍᏓᏁᏗ ᎠᎾᏟᏅᏢ ᎠᏓᏅᏙ ᎬᏗ.',
  'Emoji, 89, 59, 83, 85, 82': '😀😁😂🤣😃😄😅😆😉😊 👍🏽👩‍👩‍👧‍👦🏳️‍🌈🇩🇪🇯🇵 ❤️✨🔥🎉🚀 ☀️⛅️🌧️',
  'Maths, 84, 90, 87, 82, 109':
    '∀x∈ℝ: ∃y∈ℝ: x² + y² ≥ 2xy ⇒ ∑ᵢ₌₁ⁿ αᵢ ≤ ∫₀^∞ f(x) dx ≠ √(π/2) ± ½, A ⊆ B ∪ C, ¬(p ∧ q) ↔ ¬p ∨ ¬q',
  'upper case, 26, 25, 29, 26, 36':
    'THIS AGREEMENT IS MADE BETWEEN THE PARTIES NAMED BELOW AND SHALL BE GOVERNED BY THE LAWS OF THE STATE.',
  'TypeScript, 51, 51, 55, 51, 62':
    "export const largest = (numbers: readonly (number | undefined)[]): number | undefined => {\n  const given = numbers.filter((number) => typeof number === 'number')\n  return given.length === 0 ? undefined : Math.max(...given)\n}\n",
  'Python, 69, 68, 73, 69, 88':
    "def fibonacci(n: int) -> list[int]:\n    a, b = 0, 1\n    out = []\n    while len(out) < n:\n        out.append(a)\n        a, b = b, a + b\n    return out\n\nif __name__ == '__main__':\n    print(fibonacci(12))\n",
  'C++, 70, 70, 84, 70, 89':
    '#include <vector>\ntemplate <typename T>\nstd::vector<T> scaled(const std::vector<T>& v, T k) {\n    std::vector<T> w(v.size());\n    for (size_t i = 0; i < v.size(); ++i) w[i] = v[i] * k;\n    return w;\n}\n',
  'SQL, 67, 67, 72, 67, 96':
    'SELECT u.id, u.name, COUNT(*) AS n FROM users u LEFT JOIN logs l ON l.user_id = u.id WHERE l.created_at >= 1700000000 AND l.type IN (2, 6) GROUP BY u.id, u.name HAVING COUNT(*) > 10 ORDER BY n DESC LIMIT 50;',
  'CSS, 59, 59, 67, 59, 75':
    '.row{display:flex;margin:0 auto;padding:4px 8px;color:#1a2b3c;background:rgba(0,0,0,.25)}@media(max-width:390px){.x>.y:hover{transform:translate(-50%,-50%)}}',
  'HTML, 42, 42, 49, 42, 50':
    '<div class="row"><span id="x1" data-v="12">Hello</span><a href="https://example.com/p?q=1&amp;r=2">link</a></div>',
  'JSON, 72, 72, 76, 72, 96':
    '{"id":"chatcmpl-8f3Kd0","object":"chat.completion","created":1700000123,"model":"some-model","choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":2,"total_tokens":13}}',
  'JSON on lines, 83, 83, 82, 83, 102':
    '{\n  "name": "weather",\n  "parameters": {\n    "type": "object",\n    "properties": {\n      "city": {\n        "type": "string",\n        "description": "Where"\n      },\n      "days": {\n        "type": "integer",\n        "minimum": 1\n      }\n    },\n    "required": [\n      "city"\n    ]\n  }\n}',
  'base64, 180, 166, 173, 180, 198':
    '3AT1efgoGguH7KU7npo5677PhgdANZzZwCKYdare7BtDr0CTithy1s/M0miVXKA3bMpwJY6H7j+H2BvqPQJbtKTpeufSXOWMgYWp625k8lt4I8x0AAXQ5Q8S/8AueGkVW9MkYj+1CZMxIgP0pjAL/lkRJUeswqqntw9Vuomk0MMDeu6JUbDsQ5KiDrCCLW9mMoYarVG9Zu8kRWSPIwTq7mTAlM+N7u5e/EpiITNqjODP8Hys',
  'hexadecimal, 111, 110, 116, 111, 174':
    'dc04f579f8281a0b87eca53b9e9a39ebbecf860740359cd9c0229875aadeec1b43af40938ad872d6cfccd268955ca0376cca70258e87ee3f87d81bea3d025bb4a4e97ae7d25ce58c8185a9eb6e64f25b7823cc740005d0e50f12ffc02e7869155bd32462',
  'UUIDs, 138, 136, 149, 138, 198':
    'dc04f579-f828-1a0b-87ec-a53b9e9a39eb\nbecf8607-4035-9cd9-c022-9875aadeec1b\n43af4093-8ad8-72d6-cfcc-d268955ca037\n6cca7025-8e87-ee3f-87d8-1bea3d025bb4\na4e97ae7-d25c-e58c-8185-a9eb6e64f25b\n7823cc74-0005-d0e5-0f12-ffc02e786915',
  'CSV, 134, 134, 134, 134, 200':
    '27.5,0.5,30.625,15.125,31,5\n3.25,1.375,16.875,29.5,20.625,7.375\n19.75,19.25,7.125,29.375,23.75,25.875\n16.75,0.875,8,6.625,19.5,27.125\n24,4.25,19,14.625,21.25,27.75\n29.5,3.375,8.375,21.875,8,18.375\n17.',
  'digits, 50, 50, 65, 50, 150':
    '045180615659847507474367242702677547864474049205822725835674121043210290939500210546058958526051116831979434681497712407355674853287166762460512046319',
  'log lines, 83, 83, 87, 83, 118':
    '2026-11-16T03:24:05.123Z INFO [relay] request_id=7f3a9c channel=12 status=200 elapsed=183ms ip=10.0.3.17:44321\n2026-11-16T03:24:06.004Z WARN [books] retry=2 cause="SQLITE_BUSY" wait=15ms',
  'minified code, 78, 79, 98, 78, 99':
    'function r(e){var t,f,n="";if("string"==typeof e||"number"==typeof e)n+=e;else if("object"==typeof e)if(Array.isArray(e)){var o=e.length;for(t=0;t<o;t++)e[t]&&(f=r(e[t]))&&(n&&(n+=" "),n+=f)}return n}',
  'URLs, 47, 42, 48, 47, 61':
    'https://api.example.com/v1/files/file-9aBcD3/content?expires=1700000123&signature=Zm9vYmFyMTIz%2Fx%3D%3D',
  'Arabic with vowels, 177, 119, 260, 121, 194':
    'يُولَدُ جَمِيعُ النَّاسِ أَحْرَارًا مُتَسَاوِينَ فِي الْكَرَامَةِ وَالْحُقُوقِ. وَقَدْ وُهِبُوا عَقْلًا وَضَمِيرًا وَعَلَيْهِمْ أَنْ يُعَامِلَ بَعْضُهُمْ بَعْضًا بِرُوحِ الْإِخَاءِ. ١٢٣٤٥٦٧٨٩٠',
  'Hebrew with vowels, 166, 101, 166, 166, 120':
    'בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ׃ וְהָאָרֶץ הָיְתָה תֹהוּ וָבֹהוּ וְחֹשֶׁךְ עַל־פְּנֵי תְהוֹם',
  'Ancient Greek, 147, 97, 178, 85, 132':
    'μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην, ἣ μυρί᾽ Ἀχαιοῖς ἄλγε᾽ ἔθηκεν, πολλὰς δ᾽ ἰφθίμους ψυχὰς Ἄϊδι προΐαψεν ἡρώων',
  'Greek capitals, 140, 65, 141, 45, 83':
    'ΟΛΟΙ ΟΙ ΑΝΘΡΩΠΟΙ ΓΕΝΝΙΟΥΝΤΑΙ ΕΛΕΥΘΕΡΟΙ ΚΑΙ ΙΣΟΙ ΣΤΗΝ ΑΞΙΟΠΡΕΠΕΙΑ ΚΑΙ ΤΑ ΔΙΚΑΙΩΜΑΤΑ',
  'Sanskrit, 187, 88, 220, 108, 191':
    'धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः। मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय॥ १॥ दृष्ट्वा तु पाण्डवानीकं व्यूढं दुर्योधनस्तदा। आचार्यमुपसङ्गम्य राजा वचनमब्रवीत्॥ २॥',
  'Urdu, 151, 44, 182, 106, 162':
    'تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔ انہیں ضمیر اور عقل ودیعت ہوئی ہے، اس لیے انہیں ایک دوسرے کے ساتھ بھائی چارے کا سلوک کرنا چاہیے۔',
  'Dhivehi, 218, 218, 220, 218, 218': 'ހުރިހާ އިންސާނުން ވެސް އުފަންވަނީ، ދަރަޖަ އާއި ޙައްޤުތަކުގައި މިނިވަންކަން ލިބިގެންވާ، ހަމަހަމަ ބައެއްގެ ގޮތުގައެވެ.',
  'Yoruba, 118, 81, 143, 106, 132':
    'Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba. Wọ́n ní ẹ̀bùn ti làákàyè àti ti ẹ̀rí-ọkàn, ó sì yẹ kí wọn ó máa hùwà sí ara wọn gẹ́gẹ́ bí ọmọ ìyá.',
  'Classical Chinese, 86, 64, 79, 58, 78':
    '北冥有魚，其名為鯤。鯤之大，不知其幾千里也。化而為鳥，其名為鵬。鵬之背，不知其幾千里也；怒而飛，其翼若垂天之雲。',
  'Korean chat, 57, 32, 56, 27, 70': 'ㅋㅋㅋㅋㅋ 진짜? ㅎㅎ 알겠어 ㅠㅠㅠ 내일 봐~ ㄱㄱㄱ ㅇㅇ 네넵',
  'small letters and capitals of mathematics, 146, 139, 32, 146, 186':
    '𝓗𝓮𝓵𝓵𝓸 𝔀𝓸𝓻𝓵𝓭 𝕋𝕙𝕚𝕤 𝕚𝕤 𝔣𝔯𝔞𝔨𝔱𝔲𝔯 𝐛𝐨𝐥𝐝 𝟙𝟚𝟛 𝚖𝚘𝚗𝚘 ⓒⓘⓡⓒⓛⓔⓓ ꜱᴍᴀʟʟ ᴄᴀᴘꜱ',
  'zalgo, 301, 288, 298, 292, 279': 'i̶̭̹̖͖̇̏̅͌b̖́̾ͩ̈̄ͅė̷̛̹͖͓̝̗͆͞͏̏ͥa͓͈̾͛̊͏̷̣̄́͟ͅň͈̺̼͑̆̓̓͌ͬͨl̷̵͍̃ ̷͍̩͇̜̼̻̱ͭ̿̍͝͠͝g͇̼͓̝ͭ͡kͪ͊͏̨̜̊̾b͍̟̣̜ͤͧ̈ͯa̩͔̅ͬ͋d̶́̾̏̇e͎͉̔͞ḫ̶̆͒̄ͨ́̒͘͡m̯̺̝ͪ̿ͩ̔̓͊͋̔͠͏̄d̡͎̘̦͍͑̆ͮ͐̐h̑̉̚k',
  'emoji of several characters, 142, 93, 134, 127, 137': '👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚀🧑‍🤝‍🧑❤️‍🔥🤷🏻‍♀️👁️‍🗨️🏴‍☠️🇩🇪🇯🇵1️⃣#️⃣🐻‍❄️🧔🏿‍♂️🫱🏼‍🫲🏿',
  'numbers between blanks, 87, 87, 46, 87, 101':
    '12 7 345 8 90 1 2 3 44 5 6 781 9 10 3 2 1 0 55 6 7 8 9 12 4 100 2 31 4\n5 6 7 21 8 9 3 3 3 0 0 1 0 1 1',
  'one letter after the other, 62, 62, 62, 62, 62':
    'T h i s  i s  s p a c e d  o u t  t e x t  a s  s o m e  f i l e s  g i v e  i t , l e t t e r  b y  l e t t e r',
  'hexadecimal dump, 94, 93, 61, 94, 132':
    '00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|\n00000010  03 00 3e 00 01 00 00 00  c0 5b 00 00 00 00 00 00  |..>......[......|\n',
  'random names, 50, 49, 50, 50, 63': 'qzxv-kwj7 bxqk.vzjw_hxqpt wqkzjv xkcdvbq jqwxz.zkvbx/qwjkx?vbzq=xkjw&zzqx=jvkw',
  'tabs and ends of lines as on Windows, 23, 23, 27, 23, 40':
    'a\tb\tc\r\n1\t2\t3\r\n\r\n\t\tx\ty\r\n\t\t\t{\r\n\t\t\t\treturn\r\n\t\t\t}\r\n',
  'escaped characters, 67, 68, 79, 67, 96':
    '{"t":"\\u4eba\\u4eba\\u751f\\u800c\\u81ea\\u7531 \\ud83d\\ude00"} b"\\xe4\\xba\\xba\\x00\\xff" %E4%BA%BA%20%3D &nbsp;&#20154;&eacute;&lt;b&gt;',
  'base64 in lines, 164, 158, 160, 164, 180':
    'ekZEIgeDMxrFWMnlj8FCS3gxvQf2EPoNtI5Bxjvp0FtnClf2U3sHuDpmhLr97ipGfBse08s1X+f3\noQkHi1hcZSoi+3vQna9qtQGjXGcs57SEU/QDOXwC9rMPljfIEPFsqL1bm3DvC7yafAKu89akh8LQ\nLq2rLtCNosOVsuDT/tJbCKPFnk5KNnc6CQAq6SAkxRvpPJsHgrQfgnSben1TwbHYbmCfEtLXVJOf',
  'data URL, 72, 71, 76, 72, 91':
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'enumeration, 37, 37, 40, 37, 47':
    '{"type":"string","enum":["a","b","AF","AL","DZ","send_email_v2","LIST_USERS","1","2","3","SKU-10442"]}',
  'SVG path, 103, 103, 84, 103, 119':
    'M12.5 3.75C7.81 3.75 4 7.56 4 12.25s3.81 8.5 8.5 8.5 8.5-3.81 8.5-8.5-3.81-8.5-8.5-8.5zm0 1.5a7 7 0 110 14 7 7 0 010-14z',
  'table of lines, 55, 52, 61, 49, 67':
    '┌────────┬──────┐\n│ name   │  sum │\n├────────┼──────┤\n│ tide   │   42 │\n└────────┴──────┘ → ✓ ✗ ⇒ ▲▼',
  'LaTeX, 60, 59, 56, 60, 56':
    '\\begin{align} \\frac{\\partial f}{\\partial x_1} &= \\sum_{i=1}^{n} \\alpha_i \\left( x^{(i)} - \\mu \\right)^2 \\\\ \\mathbb{R}^3 \\end{align}',
}

export const TOKEN_SAMPLES: readonly TokenSample[] = Object.entries(SAMPLES).map(([key, text]) => {
  const [name = '', ...counts] = key.split(', ')
  const [cl100k = 0, o200k = 0, claude = 0, llama = 0, mistral = 0] = counts.map(Number)
  return { name, text, cl100k, o200k, claude, llama, mistral }
})
