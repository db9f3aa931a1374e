# frozen_string_literal: true

module Bench
  # Documents made up in the likeness of the public ones that codecs are measured with: as many
  # objects, keys, levels and strings of such lengths; no content of theirs.
  module Lookalikes
    module_function

    # 100 messages of a network, each with its user: wide maps, half of the text not ASCII.
    def twitter
      random = Random.new(11)
      statuses = Array.new(100) do |i|
        status = message(random, i)
        status["retweeted_status"] = message(random, i + 1000) if i.odd?
        status
      end
      { "statuses" => statuses, "search_metadata" => { "completed_in" => 0.087, "max_id" => 505_874_924_095_815_681, "query" => "%E4%B8%80", "count" => 100, "since_id" => 0 } }
    end

    # Seats and prices of performances: thousands of tiny maps, empty arrays, ids as keys.
    def citm_catalog
      random = Random.new(12)
      ids = Array.new(300) { 205_705_000 + random.rand(300_000_000) }
      names = ->(from, count) { ids[from, count].to_h { |id| [id.to_s, "Name no #{id % 1000} of a place"] } }
      events = ids.first(184).to_h do |id|
        [id.to_s, { "description" => nil, "id" => id, "logo" => ("/images/UE#{id}.jpg" if id.odd?), "name" => "An evening #{id % 97}", "subTopicIds" => ids.sample(4, random: random),
                    "subjectCode" => nil, "subtitle" => nil, "topicIds" => ids.sample(2, random: random) }]
      end
      performances = Array.new(243) do
        seats = Array.new(7) do |i|
          areas = Array.new([2, 5, 6, 6][i % 4]) { { "areaId" => ids.sample(random: random), "blockIds" => [] } }
          { "areas" => areas, "seatCategoryId" => ids.sample(random: random) }
        end
        { "eventId" => ids.sample(random: random), "id" => ids.sample(random: random), "logo" => nil, "name" => nil,
          "prices" => Array.new(4) { { "amount" => random.rand(20_000) * 10, "audienceSubCategoryId" => 337_100_890, "seatCategoryId" => ids.sample(random: random) } },
          "seatCategories" => seats, "seatMapImage" => nil, "start" => 1_372_701_600_000 + random.rand(10**10), "venueCode" => "PLEYEL_PLEYEL" }
      end
      { "areaNames" => names.(0, 17), "audienceSubCategoryNames" => names.(20, 1), "events" => events, "performances" => performances,
        "seatCategoryNames" => names.(40, 64), "subTopicNames" => names.(110, 19), "topicNames" => names.(130, 4),
        "topicSubTopics" => ids.first(4).to_h { |id| [id.to_s, ids.sample(5, random: random)] }, "venueNames" => { "PLEYEL_PLEYEL" => "Salle Pleyel" } }
    end

    # The outline of a country: 56,000 pairs of numbers.
    def canada
      random = Random.new(13)
      rings = Array.new(480) { Array.new(116) { [(random.rand * -90 - 50).round(15), (random.rand * 42 + 41).round(15)] } }
      { "type" => "FeatureCollection", "features" => [{ "type" => "Feature", "properties" => { "name" => "Canada" }, "geometry" => { "type" => "Polygon", "coordinates" => rings } }] }
    end

    # What a machine knows about itself: hundreds of keys that come once, short strings.
    def ohai
      random = Random.new(14)
      word = -> { Array.new(random.rand(3..12)) { random.rand(97..122).chr }.join }
      modules = Array.new(80) { "com.#{word.()}.driver.#{word.()}" }.to_h { |name| [name, { "version" => "#{random.rand(9)}.#{random.rand(9)}", "size" => random.rand(900_000), "index" => random.rand(99).to_s, "refcount" => random.rand(9).to_s }] }
      languages = Array.new(18) { word.() }.to_h { |name| [name, { "version" => "1.8.6", word.() => "/usr/#{word.()}", word.() => word.() }] }
      mounts = Array.new(12) { "/dev/#{word.()}" }.to_h { |name| [name, { "block_size" => 512, "mount" => "/#{word.()}", "options" => [word.(), word.()], "percent_used" => "#{random.rand(100)}%", word.() => [] }] }
      plain = Array.new(60) { word.() }.to_h { |name| [name, word.()] }
      nested = Array.new(25) { word.() }.to_h { |name| [name, { word.() => { word.() => word.(), word.() => random.rand(9999) } }] }
      { "kernel" => { "name" => "Darwin", "modules" => modules }, "languages" => languages, "filesystem" => mounts, "network" => nested, "ohai_time" => 1_240_624_355.08575 }.merge(plain)
    end

    # A page of an outbox: linked data, long addresses and texts in markup.
    def activitypub
      random = Random.new(15)
      address = ->(path) { "https://social.example.com/users/someone/#{path}/#{random.rand(10**17)}" }
      items = Array.new(20) do |i|
        id = address.("statuses")
        note = { "id" => id, "type" => "Note", "summary" => nil, "inReplyTo" => nil, "published" => "2022-11-#{10 + i}T10:11:12Z", "url" => address.("posts"), "attributedTo" => address.("actor"),
                 "to" => ["https://www.w3.org/ns/activitystreams#Public"], "cc" => [address.("followers"), address.("friends")], "sensitive" => false, "atomUri" => id, "inReplyToAtomUri" => nil,
                 "conversation" => "tag:social.example.com,2022-11-06:objectId=#{random.rand(10**8)}:objectType=Conversation", "content" => text = "<p>#{"A sentence with ümlauts and <a href=\\\"#\\\">links</a>. " * random.rand(1..6)}</p>",
                 "contentMap" => { "en" => text }, "attachment" => [],
                 "tag" => Array.new(i % 4) { |n| { "type" => "Hashtag", "href" => address.("tags"), "name" => "#tag#{n}" } },
                 "replies" => { "id" => address.("replies"), "type" => "Collection", "first" => { "type" => "CollectionPage", "next" => address.("next"), "partOf" => id, "items" => [] } } }
        { "id" => "#{id}/activity", "type" => "Create", "actor" => address.("actor"), "published" => note["published"], "to" => note["to"], "cc" => note["cc"], "object" => note }
      end
      { "@context" => ["https://www.w3.org/ns/activitystreams", { "ostatus" => "http://ostatus.org#", "toot" => "http://joinmastodon.org/ns#", "Emoji" => "toot:Emoji", "focalPoint" => { "@container" => "@list", "@id" => "toot:focalPoint" } }],
        "id" => address.("outbox"), "type" => "OrderedCollectionPage", "next" => address.("next"), "prev" => address.("prev"), "partOf" => address.("outbox"), "orderedItems" => items }
    end

    def message(random, i)
      id = 505_874_924_095_815_681 + random.rand(10**9)
      { "metadata" => { "result_type" => "recent", "iso_language_code" => "ja" }, "created_at" => "Sun Aug 31 00:29:15 +0000 2014", "id" => id, "id_str" => id.to_s,
        "text" => "@somebody \n\n名前:前田さん\n第一印象:とても良い!\n今の印象:やさしい。よく話す #{i}", "source" => "<a href=\"http://example.com/download/phone\" rel=\"nofollow\">An app for phones</a>",
        "truncated" => false, "in_reply_to_status_id" => nil, "in_reply_to_status_id_str" => nil, "in_reply_to_user_id" => 866_260_188, "in_reply_to_user_id_str" => "866260188", "in_reply_to_screen_name" => "somebody",
        "user" => user(i), "geo" => nil, "coordinates" => nil, "place" => nil, "contributors" => nil, "retweet_count" => i, "favorite_count" => 0,
        "entities" => { "hashtags" => [], "symbols" => [], "urls" => [], "user_mentions" => [{ "screen_name" => "somebody", "name" => "前田さん#{i}", "id" => 866_260_188, "id_str" => "866260188", "indices" => [0, 9] }] },
        "favorited" => false, "retweeted" => false, "lang" => "ja" }
    end

    def user(i)
      id = 1_186_275_104 + i
      { "id" => id, "id_str" => id.to_s, "name" => "SOMEONE #{i}", "screen_name" => "some#{i}", "location" => "", "description" => "元野球部マネージャー、最高の夏をありがとう #{i}", "url" => nil,
        "entities" => { "description" => { "urls" => [] } }, "protected" => false, "followers_count" => 262 + i, "friends_count" => 252, "listed_count" => 0, "created_at" => "Sat Feb 16 13:40:25 +0000 2013",
        "favourites_count" => 235, "utc_offset" => nil, "time_zone" => nil, "geo_enabled" => false, "verified" => false, "statuses_count" => 1769 + i, "lang" => "en", "contributors_enabled" => false,
        "is_translator" => false, "is_translation_enabled" => false, "profile_background_color" => "C0DEED", "profile_background_image_url" => "http://images.example.com/themes/theme1/bg.png",
        "profile_background_image_url_https" => "https://images.example.com/themes/theme1/bg.png", "profile_background_tile" => false, "profile_image_url" => "http://images.example.com/profile/#{id}_normal.jpeg",
        "profile_image_url_https" => "https://images.example.com/profile/#{id}_normal.jpeg", "profile_banner_url" => "https://images.example.com/banners/#{id}/1409318784", "profile_link_color" => "0084B4",
        "profile_sidebar_border_color" => "C0DEED", "profile_sidebar_fill_color" => "DDEEF6", "profile_text_color" => "333333", "profile_use_background_image" => true, "default_profile" => true,
        "default_profile_image" => false, "following" => false, "follow_request_sent" => false, "notifications" => false }
    end
  end
end
