"""Questions and the notes that answer them, by language: what a model must be able to tell apart. Written for Triskel.

Every answer says in other words what its question asks, so that shared words decide little.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PROBES: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "English": (
            ("how do I keep my sourdough alive", "Feed the starter flour and water once a week and store it cold."),
            ("fix a flat bicycle tyre", "Take the wheel off, pull out the inner tube and patch the hole."),
            ("why can't I sleep at night", "Coffee after noon and bright screens in bed lead to insomnia."),
            ("learn to play the guitar", "Practise chords for ten minutes each day with a metronome."),
            ("money for old age", "Put a tenth of every salary into the pension fund."),
            ("my plants are dying", "Yellow leaves mean that the roots stand in too much water."),
            ("speed up a slow database", "Add an index on the column that the query filters by."),
            ("what to pack for the mountains", "Bring boots, a rain jacket, a map and enough to drink."),
            ("who leads the marketing team", "Anna became head of advertising in spring."),
            ("teach a child to swim", "Begin in shallow water and blow bubbles together."),
            ("the dog barks all day", "Pets that are left alone get bored and make noise."),
            ("cheap trips by train", "Book rail tickets three months ahead for the lowest fares."),
        ),
        "German": (
            ("wie halte ich meinen Sauerteig am Leben", "Den Ansatz jede Woche mit Mehl und Wasser füttern."),
            ("platten Fahrradreifen flicken", "Das Rad ausbauen, den Schlauch herausziehen und das Loch kleben."),
            ("warum schlafe ich schlecht", "Kaffee am Nachmittag und helle Bildschirme halten wach."),
            ("Geld für das Alter", "Ein Zehntel jedes Gehalts in die Rentenkasse legen."),
            ("meine Pflanzen gehen ein", "Gelbe Blätter heißen, dass die Wurzeln zu nass stehen."),
            ("langsame Datenbank beschleunigen", "Einen Index auf die gefilterte Spalte setzen."),
            ("einem Kind das Schwimmen beibringen", "Im flachen Wasser anfangen und zusammen Blasen pusten."),
            ("günstig mit der Bahn reisen", "Fahrkarten drei Monate vorher kaufen, dann sind sie billig."),
        ),
        "French": (
            ("comment garder mon levain en vie", "Nourrir la pâte mère de farine et d'eau chaque semaine."),
            ("réparer un pneu de vélo crevé", "Démonter la roue, sortir la chambre à air et coller une rustine."),
            ("pourquoi je dors mal", "Le café l'après-midi et les écrans au lit empêchent le sommeil."),
            ("de l'argent pour la retraite", "Mettre un dixième de chaque salaire sur un plan de pension."),
            ("mes plantes meurent", "Des feuilles jaunes veulent dire que les racines ont trop d'eau."),
            ("accélérer une base de données lente", "Ajouter un index sur la colonne du filtre."),
            ("apprendre à nager à un enfant", "Commencer là où l'eau est peu profonde et souffler des bulles."),
            ("voyager en train pas cher", "Réserver les billets trois mois avant pour les meilleurs prix."),
        ),
        "Spanish": (
            ("cómo mantener viva mi masa madre", "Alimentar el fermento con harina y agua cada semana."),
            ("arreglar una rueda pinchada de bicicleta", "Quitar la cámara de aire y pegar un parche en el agujero."),
            ("por qué duermo mal", "El café por la tarde y las pantallas en la cama quitan el sueño."),
            ("dinero para la vejez", "Guardar una décima parte del sueldo en el fondo de pensiones."),
            ("mis plantas se mueren", "Las hojas amarillas dicen que las raíces tienen demasiada agua."),
            ("acelerar una base de datos lenta", "Crear un índice en la columna por la que se filtra."),
            ("enseñar a nadar a un niño", "Empezar donde el agua es poco profunda y soplar burbujas."),
            ("viajar barato en tren", "Comprar los billetes tres meses antes para pagar menos."),
        ),
        "Chinese": (
            ("怎样让酸面团酵种活下去", "每周给面种喂一次面粉和水，放在冰箱里。"),
            ("自行车爆胎怎么修", "把轮子拆下来，取出内胎，补上破洞。"),
            ("为什么晚上睡不着", "下午喝咖啡、在床上看屏幕会让人失眠。"),
            ("养老的钱", "每个月把工资的十分之一存进养老金。"),
            ("我的植物快死了", "叶子发黄说明根部浇水太多。"),
            ("数据库太慢怎么办", "给查询过滤的列加一个索引。"),
            ("教孩子游泳", "先在浅水里一起吹泡泡。"),
            ("便宜的火车旅行", "提前三个月订票价格最低。"),
        ),
        "Japanese": (
            ("サワードウの種を生かすには", "種に毎週小麦粉と水を与えて冷蔵庫に入れる。"),
            ("自転車のパンクを直す", "車輪を外してチューブを取り出し、穴をふさぐ。"),
            ("夜眠れないのはなぜ", "午後のコーヒーと寝床での画面は不眠のもとになる。"),
            ("老後のお金", "給料の一割を年金に積み立てる。"),
            ("植物が枯れそう", "葉が黄色いのは根に水が多すぎるしるし。"),
            ("遅いデータベースを速くする", "絞り込みに使う列に索引を付ける。"),
            ("子どもに泳ぎを教える", "浅い所で一緒に泡を吹くことから始める。"),
            ("電車で安く旅する", "切符は三か月前に買うと一番安い。"),
        ),
        "Russian": (
            ("как сохранить закваску живой", "Подкармливать стартер мукой и водой раз в неделю."),
            ("починить спущенное колесо велосипеда", "Снять шину, вынуть камеру и заклеить дырку."),
            ("почему я плохо сплю", "Кофе после обеда и экраны в постели мешают заснуть."),
            ("деньги на старость", "Откладывать десятую часть зарплаты в пенсионный фонд."),
            ("мои растения гибнут", "Жёлтые листья значат, что у корней слишком много воды."),
            ("ускорить медленную базу данных", "Добавить индекс по столбцу, который фильтруется."),
            ("научить ребёнка плавать", "Начать на мелком месте и вместе пускать пузыри."),
            ("дёшево путешествовать поездом", "Купить билеты за три месяца, тогда они дешевле."),
        ),
    }
)
